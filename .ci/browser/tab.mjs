// Looks at the S3 tab of a running Spark in Chromium: sizes, light and dark, with and without
// scripts, and whether it follows the job. Arguments: the tab's address, where screenshots go.
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {createRequire} from 'node:module';

const require = createRequire(join(process.env.SHOTS_MODULES, 'x.js'));
const {chromium} = require('playwright-core');

const [url, shots] = process.argv.slice(2);
mkdirSync(shots, {recursive: true});
const sizes = {desktop: {width: 1400, height: 900}, phone: {width: 390, height: 844}};
const problems = [];

async function check(page, name) {
  const found = await page.evaluate(() => {
    const wrong = [];
    const tab = document.getElementById('penstock-s3');
    if (!tab || !tab.textContent.includes('requests') || !tab.querySelector('svg')) {
      wrong.push('the report or its plots are not there');
    }
    for (const e of tab.querySelectorAll('*')) {
      if (!e.closest('.p-wide') && e.getBoundingClientRect().right > innerWidth + 1) {
        wrong.push('wider than the page: ' + e.tagName);
        break;
      }
    }
    const unnamed = [...tab.querySelectorAll('[role=img], [role=region]')]
        .filter(e => !e.getAttribute('aria-label'));
    const headless = [...tab.querySelectorAll('th')].filter(e => !e.getAttribute('scope'));
    if (unnamed.length + headless.length > 0) {
      wrong.push('parts without a name for screen readers');
    }
    if (tab.querySelector('[onclick], [onload], [onerror], script')) {
      wrong.push('a script inside the report');
    }
    // Contrast of the coloured text on the page's own background.
    const rgb = text => (text.match(/[\d.]+/g) || []).slice(0, 3).map(Number);
    const light = c => rgb(c).map(v => v / 255)
        .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const back = light(getComputedStyle(document.body).backgroundColor);
    for (const e of tab.querySelectorAll('a, li, td, .p-warn, figcaption')) {
      const front = light(getComputedStyle(e).color);
      const ratio = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
      if (ratio < 4.5) {
        wrong.push('contrast ' + ratio.toFixed(1) + ' of ' + e.tagName + '.' + e.className);
        break;
      }
    }
    return wrong;
  });
  problems.push(...found.map(problem => name + ': ' + problem));
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
for (const [size, viewport] of Object.entries(sizes)) {
  for (const colorScheme of ['light', 'dark']) {
    for (const javaScriptEnabled of [true, false]) {
      const name = [size, colorScheme, ...(javaScriptEnabled ? [] : ['no-scripts'])].join('-');
      const context = await browser.newContext({viewport, colorScheme, javaScriptEnabled});
      const page = await context.newPage();
      page.on('console', message => {
        if (message.type() === 'error' && /penstock/.test(message.text() + message.location().url)) {
          problems.push(name + ': console: ' + message.text());
        }
      });
      page.on('pageerror', error => problems.push(name + ': error: ' + error));
      await page.goto(url);
      await check(page, name);
      if (javaScriptEnabled && size === 'desktop' && colorScheme === 'light') {
        await page.evaluate(() => { document.getElementById('penstock-s3').dataset.old = 'yes'; });
        await page.waitForFunction(
            () => !document.getElementById('penstock-s3').dataset.old, null, {timeout: 15000})
            .catch(() => problems.push(name + ': does not follow the job'));
      }
      await page.screenshot({path: join(shots, name + '.png'), fullPage: true});
      await context.close();
    }
  }
}
await browser.close();
problems.forEach(problem => console.error(problem));
console.log(problems.length === 0 ? 'the S3 tab is well' : problems.length + ' problems');
process.exit(problems.length === 0 ? 0 : 1);
