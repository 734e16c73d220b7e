// Opens reports in Chromium, in all the ways people read them, and fails when one is not as it
// must be. Arguments: the directory with *.html, and where screenshots go.
import {mkdirSync, readdirSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {createRequire} from 'node:module';

const require = createRequire(join(process.env.SHOTS_MODULES, 'x.js'));
const {chromium} = require('playwright-core');

const [reports, shots] = process.argv.slice(2).map(path => resolve(path));
mkdirSync(shots, {recursive: true});

const sizes = {desktop: {width: 1280, height: 900}, phone: {width: 390, height: 844}};
const problems = [];

async function check(page, name, hasScripts) {
  const found = await page.evaluate(hasScripts => {
    const wrong = [];
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) {
      const wide = [...document.querySelectorAll('body *')].filter(e =>
          e.getBoundingClientRect().right > root.clientWidth + 1 && !e.closest('.box, pre'));
      wrong.push('the page scrolls sideways: ' + root.scrollWidth + ' > ' + root.clientWidth
          + ' ' + wide.slice(0, 3).map(e => e.tagName + '.' + e.className).join(', '));
    }
    const plots = [...document.querySelectorAll('.plot')];
    if (plots.length === 0) {
      wrong.push('there is no plot');
    }
    for (const plot of plots) {
      const seen = e => e !== null && e.getBoundingClientRect().height > 20;
      const canvas = plot.querySelector('canvas');
      if (hasScripts && !(seen(canvas) && inked(canvas))) {
        wrong.push(plot.dataset.plot + ' is not drawn');
      }
      if (!hasScripts && !seen(plot.querySelector('.sketch'))) {
        wrong.push(plot.dataset.plot + ' has no sketch');
      }
    }
    function inked(canvas) {
      const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      let dots = 0;
      for (let i = 3; i < data.length; i += 4) {
        dots += data[i] > 0 ? 1 : 0;
      }
      return dots > 1000;
    }
    if (document.querySelector('img, iframe, object, link, [onerror], [onload], [onclick]')) {
      wrong.push('a name became markup');
    }
    return wrong;
  }, hasScripts);
  problems.push(...found.map(problem => name + ': ' + problem));
}

async function useful(page, name) {
  await page.locator('#T2 th button').nth(1).click();
  const sorted = await page.locator('#T2 th').nth(1).getAttribute('aria-sort');
  if (sorted !== 'descending' && sorted !== 'ascending') {
    problems.push(name + ': the table was not sorted: ' + sorted);
  }
  const layer = page.locator('#P5 .layers button').nth(1);
  await layer.click();
  if (await layer.getAttribute('aria-pressed') !== 'true') {
    problems.push(name + ': P5 did not switch');
  }
  const canvas = page.locator('#P1 canvas').first();
  await canvas.scrollIntoViewIfNeeded();
  const chart = await canvas.boundingBox();
  await page.mouse.move(chart.x + chart.width / 2, chart.y + chart.height / 2);
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
for (const file of readdirSync(reports).filter(name => name.endsWith('.html'))) {
  for (const [size, viewport] of Object.entries(sizes)) {
    for (const colorScheme of ['light', 'dark']) {
      for (const javaScriptEnabled of [true, false]) {
        if (!javaScriptEnabled && colorScheme === 'dark') {
          continue;
        }
        const name = [file.replace('.html', ''), size, colorScheme,
          ...(javaScriptEnabled ? [] : ['no-scripts'])].join('-');
        const context = await browser.newContext({viewport, colorScheme, javaScriptEnabled});
        const page = await context.newPage();
        page.on('console', async message => {
          if (['error', 'warning'].includes(message.type())) {
            problems.push(name + ': console: ' + message.text());
            console.error(await message.args()[1]?.evaluate(e => e.stack?.slice(0,400)));
          }
        });
        page.on('pageerror', error => problems.push(name + ': error: ' + error));
        page.on('dialog', dialog => {
          problems.push(name + ': a script of a name ran');
          dialog.dismiss();
        });
        page.on('request', request => {
          if (!/^(file|data|blob):/.test(request.url())) {
            problems.push(name + ': asked for ' + request.url());
          }
        });
        await page.goto(pathToFileURL(join(reports, file)).href);
        await page.waitForTimeout(300);
        await check(page, name, javaScriptEnabled);
        if (javaScriptEnabled && file === 'report.html' && problems.length === 0) {
          await useful(page, name);
          await page.screenshot({path: join(shots, name + '-hover.png')});
        }
        await page.screenshot({path: join(shots, name + '.png'), fullPage: true});
        if (javaScriptEnabled && size === 'desktop') {
          await page.pdf({path: join(shots, name + '.pdf'), format: 'A4', printBackground: true});
        }
        await context.close();
      }
    }
  }
}
await browser.close();
problems.forEach(problem => console.error(problem));
console.log(problems.length === 0 ? 'reports are well' : problems.length + ' problems');
process.exit(problems.length === 0 ? 0 : 1);
