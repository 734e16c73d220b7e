// Draws the charts of the report and makes its tables sortable. The page reads well without it.
// Names come from logs: they are only ever drawn on a canvas or set as text, never as markup.
'use strict';
(() => {
  const root = document.documentElement;
  const plots = JSON.parse(document.getElementById('plots').textContent);
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  const font = getComputedStyle(document.body).fontFamily;
  const colour = name => getComputedStyle(root).getPropertyValue('--' + name).trim();

  // ---- values, as io.penstock.tables.format.Values writes them ----

  const whole = value => Math.round(value).toLocaleString('en-US');
  const digits = (value, most) =>
      value.toLocaleString('en-US', {maximumFractionDigits: most});

  function bytes(value) {
    const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
    let unit = 0;
    while (value >= 1023.95 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return digits(value, unit === 0 ? 0 : 1) + ' ' + units[unit];
  }

  function duration(ms) {
    if (ms < 1000) {
      return digits(ms, ms < 10 ? 1 : 0) + ' ms';
    } else if (ms < 60000) {
      return digits(ms / 1000, 1) + ' s';
    }
    const seconds = Math.round(ms / 1000);
    const two = n => String(n).padStart(2, '0');
    return seconds < 3600
      ? Math.floor(seconds / 60) + ' min ' + two(seconds % 60) + ' s'
      : Math.floor(seconds / 3600) + ' h ' + two(Math.floor(seconds % 3600 / 60)) + ' min';
  }

  const formats = {
    COUNT: value => value >= 100 || Number.isInteger(value) ? whole(value) : digits(value, 2),
    RATE: value => (value >= 100 ? whole(value) : digits(value, 1)) + '/s',
    BYTES: bytes,
    MILLIS: duration,
    SECONDS: value => duration(value * 1000),
    PERCENT: value => digits(value, value < 0.01 ? 6 : 2) + ' %',
  };

  function clock(ms, step) {
    const text = new Date(ms).toISOString();
    return step >= 86400000 ? text.slice(5, 10) : text.slice(11, step % 60000 === 0 ? 16 : 19);
  }

  const moment = ms => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

  // The library takes {name|text} in a tooltip for styled text; a name must not be read so.
  const plain = name => String(name).replace(/\{/g, '{\u200b');

  function cut(name, most) {
    const points = Array.from(name);
    if (points.length <= most) {
      return name;
    }
    const half = Math.floor((most - 1) / 2);
    return points.slice(0, half).join('') + '…' + points.slice(points.length - half).join('');
  }

  function steps(from, to, count) {
    const s = 1000;
    const m = 60 * s;
    const h = 60 * m;
    const all = [s, 2 * s, 5 * s, 10 * s, 15 * s, 30 * s, m, 2 * m, 5 * m, 10 * m, 15 * m, 30 * m,
      h, 2 * h, 4 * h, 6 * h, 12 * h, 24 * h];
    const least = (to - from) / count;
    return all.find(step => step >= least) || 24 * h * Math.ceil(least / (24 * h));
  }

  /** Round times stand at the axis, not the first request's. */
  function rounds(from, to, step) {
    const all = [];
    for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
      all.push(at);
    }
    return all;
  }

  // ---- what all charts share ----

  /** What the names of a legend need: as many lines as their widths fill. */
  function legendLines(names, width) {
    let lines = 1;
    let used = 0;
    for (const name of names) {
      const wide = 32 + Array.from(name).length * 6.7;
      if (used > 0 && used + wide > width) {
        lines++;
        used = 0;
      }
      used += wide;
    }
    return lines;
  }

  const LINE = 20;

  function base(c) {
    return {
      animation: false,
      backgroundColor: 'transparent',
      textStyle: {fontFamily: font, color: colour('quiet')},
      aria: {enabled: true, label: {description: c.title}},
      legend: {
        top: 0, left: 0, right: 0, itemWidth: 14, itemHeight: 8, icon: 'roundRect', itemGap: 14,
        textStyle: {color: colour('quiet')},
      },
      tooltip: {
        // Drawn on the canvas: markup in a name stays what it is.
        renderMode: 'richText', confine: true, backgroundColor: colour('panel'),
        borderColor: colour('rule'), borderWidth: 1, padding: 8,
        textStyle: {color: colour('ink'), fontFamily: font, fontSize: 12},
      },
    };
  }

  function axis(extra) {
    return Object.assign({
      axisLine: {lineStyle: {color: colour('rule')}},
      axisTick: {lineStyle: {color: colour('rule')}},
      axisLabel: {color: colour('quiet'), hideOverlap: true},
      splitLine: {lineStyle: {color: colour('grid')}},
      nameTextStyle: {color: colour('quiet')},
    }, extra);
  }

  function zoom(extra) {
    return Object.assign({
      type: 'slider', height: 18, bottom: 4, borderColor: colour('rule'), brushSelect: false,
      fillerColor: colour('requests') + '22', handleStyle: {color: colour('panel')},
      moveHandleSize: 0, textStyle: {color: colour('quiet')}, labelFormatter: () => '',
      dataBackground: {
        lineStyle: {color: colour('rule')}, areaStyle: {color: colour('grid')},
      },
      selectedDataBackground: {
        lineStyle: {color: colour('requests')}, areaStyle: {color: colour('requests')},
      },
    }, extra);
  }

  const markLine = (data, position) => ({
    silent: true, symbol: 'none', data,
    lineStyle: {color: colour('mark'), type: 'dashed', width: 1},
    // Its ground keeps the label readable where a curve passes behind it.
    label: {
      color: colour('quiet'), position, fontSize: 11, formatter: p => p.name,
      backgroundColor: colour('panel') + 'd0', padding: [1, 3],
    },
  });

  // ---- the kinds of charts ----

  function time(c, width) {
    const panels = c.panels.length;
    const height = panels === 1 ? 250 : 180;
    const count = c.panels[0].series[0].values.length;
    const end = c.start + count * c.step;
    const {tick, ticks} = timeTicks(c.from || c.start, c.to || end, width);
    const top = Math.max(
        ...c.limits.map(l => l.at * 1.03),
        ...c.panels.map(p => c.stacked
          ? Math.max(...p.series[0].values.map((v, i) =>
              p.series.reduce((sum, s) => sum + s.values[i], 0)))
          : Math.max(...p.series.map(s => s.values.reduce((a, b) => Math.max(a, b), 0)))));
    const names = c.panels[0].series.map(s => s.name);
    const head = (legendLines(names, width) - 1) * LINE + (panels > 1 ? 20 : 0);
    const gap = panels > 1 ? 54 : 34;
    const option = base(c);
    option.title = c.panels.map((p, i) => ({
      text: cut(p.name, Math.floor(width / 9)), right: 8, top: 16 + head - 20 + i * (height + gap),
      textStyle: {color: colour('ink'), fontSize: 13, fontWeight: 600, fontFamily: font},
    }));
    option.legend.data = names;
    option.legend.selectedMode = !c.stacked;
    option.grid = c.panels.map((p, i) => ({
      left: 56, right: 12, top: 34 + head + i * (height + gap), height: height - 10,
    }));
    option.xAxis = c.panels.map((p, i) => axis({
      type: 'value', gridIndex: i, min: c.start, max: end,
      axisTick: {customValues: ticks, lineStyle: {color: colour('rule')}},
      axisLabel: {
        color: colour('quiet'), hideOverlap: true, customValues: ticks,
        formatter: ms => clock(ms, tick),
      },
      axisPointer: {show: true, snap: false, label: {show: false}},
      splitLine: {show: false},
    }));
    option.yAxis = c.panels.map((p, i) => axis({
      type: 'value', gridIndex: i, min: 0, max: panels > 1 ? round(top) : null,
      axisLine: {show: false}, axisTick: {show: false},
      axisLabel: {color: colour('quiet'), formatter: formats.COUNT},
    }));
    option.axisPointer = {link: [{xAxisIndex: 'all'}]};
    option.tooltip.trigger = 'axis';
    option.tooltip.formatter = points => {
      const at = points[0].value[0];
      const head = c.start === 0 ? duration(at) : moment(at);
      const own = p => c.stacked
        ? c.panels[0].series[p.seriesIndex].values[Math.min(p.dataIndex, count - 1)] : p.value[1];
      return [head].concat(points.filter(p => own(p) > 0 || !c.stacked).map(p =>
          plain((panels > 1 ? c.panels[p.axisIndex].name + ' ' : '') + p.seriesName) + '  '
          + formats.RATE(own(p)))).join('\n');
    };
    if (count > 60) {
      option.dataZoom = [zoom(Object.assign({xAxisIndex: c.panels.map((p, i) => i)},
          c.to ? {startValue: c.from, endValue: c.to} : {}))];
    }
    option.series = c.panels.flatMap((p, i) => p.series.map((s, j) => ({
      type: 'line', name: s.name, xAxisIndex: i, yAxisIndex: i, showSymbol: count === 1,
      data: points(c, edge(c, p, j)),
      sampling: c.stacked ? undefined : 'minmax', color: colour(s.role),
      z: c.stacked ? 20 - j : 2, step: c.stacked ? 'end' : false,
      lineStyle: {width: c.stacked ? 0 : 1.3},
      areaStyle: {opacity: c.stacked ? 1 : s.role === 'throttled' ? 0.25 : 0.12},
      emphasis: {disabled: true},
      markLine: j === 0 && c.limits.length
        ? markLine(c.limits.map(l => ({name: l.name, yAxis: l.at})), 'insideEndTop') : undefined,
      markArea: j === 0 && c.bands.length ? bands(c, (width - 70) / (end - c.start)) : undefined,
    })));
    if (c.limits.length) {
      option.yAxis.forEach(y => y.max = round(top));
    }
    return {option, height: 16 + head + panels * (height + gap) + (count > 60 ? 30 : 0)};
  }

  /** A stack is drawn as steps, and the last one, too, has its length. */
  function points(c, values) {
    const all = values.map((v, k) => [c.start + k * c.step, v]);
    return c.stacked
      ? all.concat([[c.start + values.length * c.step, values[values.length - 1]]]) : all;
  }

  function timeTicks(from, to, width) {
    const tick = steps(from, to, width / 110);
    return {tick, ticks: rounds(from, to, tick)};
  }

  /** The ticks of what the slider shows. */
  function onZoom(chart, c, width) {
    const {startValue, endValue} = chart.getOption().dataZoom[0];
    const {tick, ticks} = timeTicks(startValue, endValue, width);
    chart.setOption({xAxis: c.panels.map(() => ({
      axisTick: {customValues: ticks},
      axisLabel: {customValues: ticks, formatter: ms => clock(ms, tick)},
    }))});
  }

  /** The upper edge of a series: on top of those before it when they are stacked. */
  function edge(c, panel, index) {
    return c.stacked
      ? panel.series[index].values.map((v, k) =>
          panel.series.slice(0, index + 1).reduce((sum, s) => sum + s.values[k], 0))
      : panel.series[index].values;
  }

  function round(top) {
    const unit = Math.pow(10, Math.floor(Math.log10(Math.max(top, 1)))) / 2;
    return Math.ceil(top / unit) * unit;
  }

  const bands = (c, pixels) => ({
    silent: true,
    label: {position: 'insideTopLeft', color: colour('quiet'), fontSize: 11, formatter: p => p.name},
    data: c.bands.map((b, i) => [
      {name: b.name, xAxis: b.from, label: {show: (b.to - b.from) * pixels > 50},
        itemStyle: {color: colour('band'), opacity: i % 2 ? 0.04 : 0.1}},
      {xAxis: b.to},
    ]),
  });

  function curve(c, width) {
    const option = base(c);
    const format = formats[c.xKind];
    const names = c.curves.map(s => s.name);
    const head = (legendLines(names, width) - 1) * LINE;
    option.grid = {left: 72, right: 20, top: 62 + head, bottom: 48};
    option.xAxis = axis({
      type: c.xBase ? 'log' : 'value', logBase: c.xBase || 10, name: c.xName,
      nameLocation: 'middle', nameGap: 30,
      min: Math.min(...c.curves.flatMap(s => s.xs)), max: Math.max(...c.curves.flatMap(s => s.xs)),
      axisLabel: {color: colour('quiet'), hideOverlap: true, formatter: format},
      splitLine: {show: true, lineStyle: {color: colour('grid')}},
    });
    if (c.xBase) {
      const few = !c.steps && c.curves[0].xs.length <= 10;
      const values = few
        ? c.curves[0].xs : powers(option.xAxis.min, option.xAxis.max, c.xBase);
      option.xAxis.axisLabel.customValues = values;
      option.xAxis.axisTick.customValues = values;
      option.xAxis.splitLine.show = false;
    }
    const least = Math.min(...c.curves.flatMap(s => s.values.filter(v => v > 0)));
    option.yAxis = axis({
      type: c.logY ? 'log' : 'value', name: c.yName, nameTextStyle: {
        color: colour('quiet'), align: 'left', padding: [0, 0, 0, -64]}, nameGap: 12,
      min: c.logY ? Math.pow(10, Math.floor(Math.log10(least))) : 0, max: c.logY ? 100 : null,
      axisLine: {show: false}, axisTick: {show: false},
      axisLabel: {color: colour('quiet'), formatter: formats[c.yKind]},
    });
    option.legend.data = names.sort((a, b) => grey(c, a) - grey(c, b));
    option.tooltip.trigger = 'axis';
    option.tooltip.axisPointer = {type: 'line', label: {show: false}};
    option.tooltip.formatter = points => [c.xName + ' ' + format(points[0].value[0])].concat(
        points.map(p => plain(p.seriesName) + '  ' + formats[c.yKind](p.value[1]))).join('\n');
    option.series = c.curves.map((s, i) => ({
      type: 'line', name: s.name, color: colour(s.role), symbol: 'circle',
      symbolSize: 5, showSymbol: s.xs.length < 16 && !c.steps, step: c.steps ? 'end' : false,
      data: s.xs.map((x, k) => [x, s.values[k]]), emphasis: {disabled: true},
      lineStyle: {width: 1.8}, areaStyle: c.steps ? {opacity: 0.15} : undefined,
      markLine: i === 0 && c.marks.length
        ? markLine(apart(c, option.xAxis, width - 92), 'end') : undefined,
    }));
    return {option, height: 346 + head};
  }

  const grey = (c, name) => c.curves.find(s => s.name === name).role === 'rest';

  /** The marks inside, with the names of those that have room for it. */
  function apart(c, axis, width) {
    const log = Math.log(axis.max / axis.min);
    let free = -Infinity;
    return c.marks.filter(m => m.at > axis.min && m.at < axis.max).map(m => {
      const at = Math.log(m.at / axis.min) / log * width;
      const half = m.name.length * 3 + 4;
      const show = at - half > free;
      free = show ? at + half : free;
      return {name: m.name, xAxis: m.at, label: {show}};
    });
  }

  function powers(min, max, power) {
    const all = [];
    const log = x => Math.log(x) / Math.log(power);
    for (let p = Math.ceil(log(min) - 1e-9); p <= log(max) + 1e-9; p++) {
      all.push(Math.pow(power, p));
    }
    return all;
  }

  function heat(c, width, layer) {
    const option = base(c);
    const shown = c.layers[layer || 0];
    const narrow = width < 600;
    const rows = c.rows.length;
    const times = Array.from({length: c.steps}, (x, i) => c.start + i * c.step);
    const tick = steps(c.start, c.start + c.steps * c.step, Math.max((width - 240) / 90, 3));
    const cells = [];
    shown.rows.forEach((row, y) => row.v.forEach((v, x) => {
      if (v > 0) {
        cells.push([x, rows - 1 - y, v]);
      }
    }));
    option.legend = undefined;
    option.grid = {left: narrow ? 110 : 220, right: 10, top: 8, bottom: 62};
    option.xAxis = axis({
      type: 'category', data: times, splitLine: {show: false}, axisTick: {show: false},
      axisLabel: {color: colour('quiet'), interval: i => times[i] % tick === 0,
        formatter: ms => clock(+ms, tick), hideOverlap: true},
    });
    option.yAxis = axis({
      type: 'category', data: c.rows.slice().reverse(), axisTick: {show: false},
      splitLine: {show: false}, axisLine: {show: false},
      axisLabel: {color: colour('quiet'), interval: 0, fontSize: 11,
        formatter: name => cut(name, narrow ? 15 : 32)},
    });
    // By root: few of something must not look like none.
    option.visualMap = {
      min: 0, max: Math.sqrt(shown.max), dimension: 3, calculable: false, orient: 'horizontal',
      left: narrow ? 0 : 220, bottom: 2, itemHeight: 120, itemWidth: 10,
      text: [whole(shown.max) + ' ' + shown.name
          + (c.steps > 1 ? ' in ' + duration(c.step) : ''), '0'],
      textStyle: {color: colour('quiet')},
      inRange: {color: [colour('panel'), colour(shown.role)]},
    };
    option.tooltip.formatter = p => moment(times[p.value[0]]) + '\n'
        + plain(cut(c.rows[rows - 1 - p.value[1]], 80)) + '\n'
        + whole(p.value[2]) + ' ' + shown.name;
    option.series = [{
      type: 'heatmap', data: cells.map(v => v.concat(Math.sqrt(v[2]))), progressive: 0,
      encode: {x: 0, y: 1, value: 3}, emphasis: {disabled: true},
    }];
    return {option, height: 80 + rows * (rows > 20 ? 15 : 19)};
  }

  function bars(c) {
    const option = base(c);
    option.grid = {left: 72, right: 12, top: 36, bottom: 48};
    option.xAxis = axis({type: 'category', data: c.things, name: c.xName, nameLocation: 'middle',
      nameGap: 30, splitLine: {show: false}});
    option.yAxis = axis({type: 'log', min: 0.5, startValue: 0.5, axisLine: {show: false}, axisTick: {show: false},
      axisLabel: {color: colour('quiet'), formatter: v => v < 1 ? '' : formats[c.kind](v)}});
    option.tooltip.trigger = 'axis';
    option.tooltip.axisPointer = {type: 'none'};
    option.tooltip.formatter = points => [points[0].name + ' ' + c.xName].concat(
        points.map(p => plain(p.seriesName) + '  ' + formats[c.kind](p.data.exact))).join('\n');
    option.series = c.series.map(s => ({
      type: 'bar', name: s.name, color: colour(s.role), barMaxWidth: 46,
      data: s.values.map(v => ({value: v > 0.5 ? v : null, exact: v})), emphasis: {disabled: true},
    }));
    return {option, height: 300};
  }

  function gantt(c, width) {
    const option = base(c);
    const narrow = width < 600;
    const from = Math.min(...c.bars.map(b => b.from));
    const to = Math.max(...c.bars.map(b => b.to), from + 1);
    const tick = steps(from, to, Math.max((width - 330) / 80, 3));
    const lane = c.lanes.length > 20 ? 20 : 28;
    const left = narrow ? 120 : 220;
    const right = narrow ? 70 : 130;
    const marks = rounds(from, to, tick);
    const names = c.legend.map(s => s.name);
    const head = (legendLines(names, width) - 1) * LINE;
    option.grid = {left, right, top: 30 + head, bottom: 28};
    option.legend.data = names;
    option.legend.textStyle.width = width - 30;
    option.legend.textStyle.overflow = 'break';
    option.xAxis = axis({type: 'value', min: from, max: to,
      axisTick: {customValues: marks, lineStyle: {color: colour('rule')}},
      axisLabel: {color: colour('quiet'), customValues: marks, hideOverlap: true,
        formatter: ms => clock(ms, tick)}, splitLine: {show: false}});
    option.yAxis = axis({type: 'category', inverse: true, data: c.lanes.map((l, i) => i),
      axisTick: {show: false}, splitLine: {show: true, lineStyle: {color: colour('grid')}},
      axisLabel: {color: colour('quiet'), interval: 0, fontSize: 11,
        formatter: i => cut(c.lanes[i], narrow ? 17 : 32)}});
    option.tooltip.formatter = p => {
      const b = c.bars[p.value[0]];
      return plain(cut(c.lanes[b.lane], 80)) + '\n' + moment(b.from) + '\n' + plain(b.label);
    };
    const draw = (params, api) => {
      const b = c.bars[api.value(0)];
      const start = api.coord([b.from, b.lane]);
      const stop = api.coord([b.to, b.lane]);
      const tall = Math.min(api.size([0, 1])[1] * 0.62, 18);
      const box = share => ({x: start[0], y: start[1] - tall / 2,
        width: Math.max((stop[0] - start[0]) * share, share ? 2 : 0), height: tall});
      return {type: 'group', children: [
        {type: 'rect', shape: box(1), style: {fill: colour(b.role), opacity: 0.35}},
        {type: 'rect', shape: box(b.share), style: {fill: colour(b.role)}},
        {type: 'text', style: {x: Math.max(stop[0], start[0] + 2) + 5, y: start[1] - 6,
          text: narrow ? cut(b.label.split(', ').pop(), 12) : b.label, fill: colour('quiet'),
          fontSize: 11, fontFamily: font}},
      ]};
    };
    option.series = c.legend.map((s, i) => ({
      type: 'custom', name: s.name, color: colour(s.role), renderItem: draw,
      encode: {x: [1, 2], y: 3},
      data: c.bars.map((b, k) => [k, b.from, b.to, b.lane])
          .filter(v => i === c.legend.findIndex(l => l.role === c.bars[v[0]].role)),
    }));
    return {option, height: 66 + head + c.lanes.length * lane};
  }

  const kinds = {time, curve, heat, bars, gantt};

  // ---- the page ----

  function draw(box) {
    const c = plots[box.dataset.plot];
    const place = box.querySelector('.chart');
    const sketch = box.querySelector('.sketch');
    let chart = null;
    let layer = 0;
    let width = 0;
    const show = () => {
      width = place.clientWidth;
      const built = kinds[c.type](c, width, layer);
      place.style.height = built.height + 'px';
      chart = chart || echarts.init(place, null, {renderer: 'canvas'});
      chart.resize();
      chart.setOption(built.option, true);
      chart.off('datazoom');
      if (c.type === 'time' && built.option.dataZoom) {
        chart.on('datazoom', () => onZoom(chart, c, width));
      }
      // The library describes a chart by all its names; ours says what to look for.
      place.setAttribute('role', 'img');
      place.setAttribute('aria-label', sketch.getAttribute('aria-label'));
    };
    box.classList.add('live');
    try {
      show();
    } catch (error) {
      // The sketch says the same.
      box.classList.remove('live');
      console.error(box.dataset.plot + ' could not be drawn', error);
      return;
    }
    if (c.type === 'heat' && c.layers.length > 1) {
      layers(c, box, index => {
        layer = index;
        show();
      });
    }
    dark.addEventListener('change', show);
    new ResizeObserver(() => {
      if (place.clientWidth > 0 && place.clientWidth !== width) {
        show();
      }
    }).observe(place);
  }

  function layers(c, box, choose) {
    const group = document.createElement('div');
    group.className = 'layers';
    group.setAttribute('role', 'group');
    group.setAttribute('aria-label', 'What to show');
    c.layers.forEach((layer, index) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = layer.name;
      button.setAttribute('aria-pressed', index === 0);
      button.addEventListener('click', () => {
        group.querySelectorAll('button').forEach(other =>
            other.setAttribute('aria-pressed', other === button));
        choose(index);
      });
      group.append(button);
    });
    box.prepend(group);
  }

  const sorted = cell => 'v' in cell.dataset
    ? cell.dataset.v === '' ? -Infinity : cell.dataset.v === 'true' ? 1 : +cell.dataset.v || 0
    : cell.textContent;

  function sortable(table) {
    const heads = table.querySelectorAll('thead th');
    const body = table.tBodies[0];
    heads.forEach((head, column) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener('click', () => {
        const numbers = head.classList.contains('n');
        const was = head.getAttribute('aria-sort');
        const up = was ? was === 'descending' : !numbers;
        heads.forEach(other => other.removeAttribute('aria-sort'));
        head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
        const rows = Array.from(body.rows, row => [sorted(row.cells[column]), row]);
        rows.sort(([a], [b]) => (up ? 1 : -1) * (typeof a === 'string'
          ? a.localeCompare(b) : a < b ? -1 : a > b ? 1 : 0));
        body.append(...rows.map(([, row]) => row));
      });
    });
  }

  document.querySelectorAll('table.sortable').forEach(sortable);
  document.querySelectorAll('.plot').forEach(draw);
  // What a link leads to may be folded away.
  const unfold = () => {
    const target = document.getElementById(location.hash.slice(1));
    for (let at = target; at; at = at.parentElement) {
      if (at.tagName === 'DETAILS') {
        at.open = true;
      }
    }
  };
  unfold();
  addEventListener('hashchange', unfold);
  // Numbers and queries that are folded away are wanted on paper.
  addEventListener('beforeprint', () => document.querySelectorAll('.plot ~ details:not(.sql), details.more')
      .forEach(details => { details.open = true; }));
  if (calm.matches) {
    root.style.scrollBehavior = 'auto';
  }
})();
