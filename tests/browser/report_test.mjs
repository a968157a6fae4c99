// Reports and comparisons, opened from disk without network.
import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { hardpan, loaded, openPage, picture, results, scratch, settled, shownTime, startBrowser, waitFor } from './harness.mjs';
import { colourCount, difference, shareNear } from './png.mjs';

const run = join(scratch, 'pendulum');
const coarse = join(scratch, 'coarse');
const report = pathToFileURL(join(run, 'report.html')).href;
let browser;

before(async () => {
  browser = await startBrowser();
  await hardpan('run', 'triple-pendulum', '--out', run, '--quiet');
  await hardpan('run', 'triple-pendulum', '--out', coarse, '--quiet', '--set', 'time.step=1e-3').catch(() => {}); // misses its expectations
});
after(() => browser?.close());

const curveValue = async (page, chart, curve) =>
  Number((await page.locator('.chart').nth(chart).locator('.u-legend .u-value').nth(curve).textContent()).replace('−', '-'));

test('a report of 10 s is below 3 MB', () => {
  const { size } = statSync(join(run, 'report.html'));
  assert.ok(size < 3e6, `${size} bytes`);
});

test('opens without network: text, curves and replay', async () => {
  const { page, problems, close } = await openPage(browser, report, { offline: true, viewport: { width: 1100, height: 1400 } });
  await loaded(page);
  const text = await page.locator('body').innerText();
  for (const words of ['Triple pendulum with springs', 'hardpan run triple-pendulum', 'energy_total_J', 'passed', 'solve', 'gravity', 'time.step'.slice(0, 4)])
    assert.ok(text.includes(words), `'${words}' is missing`);
  await waitFor('curves', async () => (await page.locator('.chart canvas').count()) >= 6);
  await settled(page);
  const stage = await picture(page, 'report-replay', '#replay .stage canvas');
  assert.ok(colourCount(stage) > 10, `only ${colourCount(stage)} colours in the replay`);
  const chart = await picture(page, 'report-chart', '.chart >> nth=0');
  assert.ok(shareNear(chart, [0, 114, 178], 40) > 0.002, 'the first curve is not there');
  await picture(page, 'report-light');
  assert.deepEqual(problems, []);
  await close();
});

test('the replay plays, and the cursor of the curves goes with it', async () => {
  const { page, problems, close } = await openPage(browser, report);
  await loaded(page);
  await settled(page);
  const before = await picture(page, 'report-start', '#replay .stage canvas');
  await page.locator('#time').fill('150');
  const time = await waitFor('another time', () => shownTime(page));
  await settled(page);
  assert.ok(difference(before, await picture(page, 'report-later', '#replay .stage canvas')) > 0.001);
  await waitFor('the cursor at this time', async () => Math.abs((await curveValue(page, 0, 0)) - time) < 0.02);
  await page.locator('#play').click();
  await waitFor('it plays', async () => (await shownTime(page)) > time + 0.2);
  await page.locator('#field').selectOption({ index: 4 });
  await waitFor('a legend', () => page.locator('#legend').isVisible());
  assert.deepEqual(problems, []);
  await close();
});

test('curves zoom together', async () => {
  const { page, close } = await openPage(browser, report, { viewport: { width: 1100, height: 1400 } });
  await loaded(page);
  const plot = page.locator('.chart').nth(0).locator('.u-over');
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  await page.mouse.move(box.x + 0.5 * box.width, box.y + 30);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.7 * box.width, box.y + 30, { steps: 5 });
  await page.mouse.up();
  await page.mouse.move(box.x + 2, box.y + 30);
  await waitFor('the left end is near 5 s', async () => Math.abs((await curveValue(page, 1, 0)) - 5) < 0.2);
  await plot.dblclick({ position: { x: 0.5 * box.width, y: 30 } });
  await page.mouse.move(box.x + 2, box.y + 30);
  await waitFor('the left end is near 0 s', async () => (await curveValue(page, 1, 0)) < 0.2);
  await close();
});

test('dark, printed, and without JavaScript', async () => {
  const dark = await openPage(browser, report, { colorScheme: 'dark' });
  await loaded(dark.page);
  await settled(dark.page);
  assert.ok(shareNear(await picture(dark.page, 'report-dark'), [20, 24, 30], 30) > 0.3);
  await dark.close();

  const printed = await openPage(browser, report, { colorScheme: 'dark' });
  await loaded(printed.page);
  const pdf = await printed.page.pdf({ path: join(results, 'report.pdf'), format: 'A4' });
  assert.ok(pdf.length > 50000, 'the printed pages hold no pictures');
  await printed.page.emulateMedia({ media: 'print' });
  await waitFor('a picture in place of the replay', () => printed.page.locator('#replay img').isVisible());
  assert.ok(await printed.page.locator('.controls').isHidden());
  await printed.close();

  const plain = await openPage(browser, report, { javaScriptEnabled: false });
  assert.match(await plain.page.locator('body').innerText(), /energy_total_J/);
  await plain.close();
});

test('a report that had to leave out forces still plays', async () => {
  const chains = join(scratch, 'chains.yaml');
  let text = 'hardpan: 1\ntitle: Many pendulums\ntime: {end: 10.0, step: 5.0e-3}\nbodies:\n';
  const count = 400;
  for (let i = 0; i < count; ++i)
    text += `  b${i}: {mass: 1.0, shape: {kind: sphere, radius: 0.1}, position: [1, ${0.3 * i}, 0], velocity: [0, 0, ${0.01 * i}]}\n`;
  text += 'joints:\n';
  for (let i = 0; i < count; ++i) text += `  j${i}: {kind: hinge, between: [world, b${i}], at: [0, ${0.3 * i}, 0], axis: [0, 1, 0]}\n`;
  writeFileSync(chains, text);
  const folder = join(scratch, 'chains');
  await hardpan('run', chains, '--out', folder, '--quiet');
  assert.ok(statSync(join(folder, 'report.html')).size < 3e6);
  const { page, problems, close } = await openPage(browser, pathToFileURL(join(folder, 'report.html')).href);
  await loaded(page);
  assert.equal(await page.locator('.problem').count(), 0);
  assert.equal(await page.locator('input[data-layer="joint forces"]').count(), 0, 'nothing was left out: make the run larger');
  await settled(page);
  assert.ok(colourCount(await picture(page, 'report-many', '#replay .stage canvas')) > 10);
  assert.deepEqual(problems, []);
  await close();
});

test('compare: curves over one another, metrics side by side', async () => {
  await hardpan('compare', run, coarse, '--out', join(scratch, 'compare.html'));
  const { page, problems, close } = await openPage(browser, pathToFileURL(join(scratch, 'compare.html')).href, { offline: true });
  await waitFor('curves', async () => (await page.locator('.chart canvas').count()) >= 6);
  const labels = (await page.locator('.chart').nth(0).locator('.u-legend .u-label').allTextContents()).join(' ');
  assert.match(labels, /pendulum/);
  assert.match(labels, /coarse/);
  const text = await page.locator('body').innerText();
  for (const words of ['energy_total_J', 'pendulum', 'coarse', 'step']) assert.ok(text.includes(words), `'${words}' is missing`);
  await settled(page);
  const chart = await picture(page, 'compare-chart', '.chart >> nth=0');
  assert.ok(colourCount(chart) > 5);
  await picture(page, 'compare');
  assert.deepEqual(problems, []);
  await close();
});
