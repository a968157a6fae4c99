// The viewer as a person uses it. Screenshots stay in the build folder.
import assert from 'node:assert/strict';
import { readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { drawEllipsoids } from './ellipsoids.mjs';
import { hardpan, loaded, makeResult, openPage, picture, results, scratch, settled, shownTime, startBrowser, stopAll, view, waitFor } from './harness.mjs';
import { colourCount, difference, readPng, shareNear } from './png.mjs';

const gallery = join(scratch, 'gallery');
let browser;
let server;

before(async () => {
  browser = await startBrowser();
  await makeResult('gallery', gallery);
  server = await view(gallery);
});
after(async () => {
  await stopAll();
  await browser?.close();
});

const open = async (hash = '', options = {}) => {
  const opened = await openPage(browser, server.address + hash, options);
  await loaded(opened.page);
  return opened;
};
const curveValue = (page, chart) => page.locator('.chart').nth(chart).locator('.u-legend .u-value').nth(1).textContent();
const minus = (text) => Number(text.replace('−', '-'));

test('loads: every kind of thing is drawn, nothing is asked elsewhere', async () => {
  const { page, problems, close } = await open();
  await settled(page);
  assert.equal(await page.locator('#title').textContent(), 'Gallery of everything');
  assert.equal(await page.locator('#status').textContent(), 'done');
  const png = await picture(page, 'viewer-light', '#stage canvas');
  assert.ok(colourCount(png) > 40, `only ${colourCount(png)} colours: the picture is empty`);
  // Each layer leaves its mark on the picture.
  await page.locator('.menu summary').click();
  for (const layer of ['bodies', 'sand', 'membrane', 'ground', 'contact force', 'joint axes']) {
    const box = page.locator(`input[data-layer="${layer}"]`);
    await box.uncheck();
    await settled(page);
    const without = await picture(page, 'layer', '#stage canvas');
    assert.ok(difference(png, without) > 2e-4, `hiding '${layer}' changes nothing`);
    await box.check();
  }
  assert.match(await page.locator('.scale-note').textContent(), /grid 0\.5 m · contact force: a grid step is .* N/);
  assert.deepEqual(problems, []);
  await close();
});

test('dark pages are dark', async () => {
  const { page, close } = await open('#t=1&field=sand/pressure', { colorScheme: 'dark' });
  await settled(page);
  const png = await picture(page, 'viewer-dark');
  assert.ok(shareNear(png, [20, 24, 30], 25) > 0.3);
  assert.ok(shareNear(png, [245, 247, 250], 12) < 0.02);
  await close();
});

test('plays, pauses and stops at the end', async () => {
  const { page, problems, close } = await open();
  assert.equal(await shownTime(page), 0);
  await page.locator('#play').click();
  await waitFor('time goes on', async () => (await shownTime(page)) > 0.3);
  await page.locator('#play').click();
  const paused = await shownTime(page);
  await page.waitForTimeout(300);
  assert.equal(await shownTime(page), paused);
  // A reload in the midst of playing stays where it was, or nearly.
  await page.locator('#speed').selectOption('0.1');
  await page.locator('#play').click();
  await page.waitForTimeout(600);
  const playing = await shownTime(page);
  await page.reload();
  await loaded(page);
  await waitFor('the time before the reload', async () => Math.abs((await shownTime(page)) - playing) < 0.11);
  await page.locator('#speed').selectOption('5');
  await page.keyboard.press('Escape');
  await page.locator('#play').click();
  await waitFor('the end', async () => (await shownTime(page)) === 2);
  await waitFor('the button offers to play again', async () => (await page.locator('#play').textContent()) === '▶');
  assert.deepEqual(problems, []);
  await close();
});

test('scrubs to a frame, and keys step', async () => {
  const { page, close } = await open();
  await settled(page);
  const start = await picture(page, 'scrub-0', '#stage canvas');
  await page.locator('#time').fill('30');
  await waitFor('frame 30', async () => (await shownTime(page)) === 1.5);
  await settled(page);
  assert.ok(difference(start, await picture(page, 'scrub-30', '#stage canvas')) > 0.01);
  await page.locator('#title').click();
  await page.keyboard.press('ArrowRight');
  await waitFor('frame 31', async () => Math.abs((await shownTime(page)) - 1.55) < 1e-9);
  await page.keyboard.press('Home');
  await waitFor('frame 0', async () => (await shownTime(page)) === 0);
  await close();
});

test('colours by a field, with a legend in units and a range that can be typed', async () => {
  const { page, close } = await open();
  assert.ok(await page.locator('#legend').isHidden());
  const labels = await page.locator('#field option').allTextContents();
  for (const label of ['bodies velocity, size [m/s]', 'bodies velocity, y [m/s]', 'sand pressure [Pa]', 'membrane strain', 'ground rut [m]'])
    assert.ok(labels.includes(label), `${label} is not in: ${labels.join('; ')}`);
  await settled(page);
  const plain = await picture(page, 'colour-none', '#stage canvas');
  await page.locator('#field').selectOption('sand/pressure');
  await settled(page);
  assert.equal(await page.locator('.legend-title').textContent(), 'sand pressure [Pa]');
  assert.ok(shareNear(await picture(page, 'legend', '#legend'), [253, 231, 37], 40) > 0.002, 'the legend has no yellow end');
  await picture(page, 'colour-field');
  const automatic = await picture(page, 'colour-auto', '#stage canvas');
  assert.ok(difference(plain, automatic) > 0.01);

  const [high, low] = [page.locator('.legend-scale input').first(), page.locator('.legend-scale input').last()];
  const largest = Number(await high.inputValue());
  assert.ok(largest > 1e4 && largest < 2e4, `the largest pressure is ${largest} Pa`);
  await low.fill('0');
  await low.press('Enter');
  await high.fill('50000');
  await high.press('Enter');
  await settled(page);
  assert.ok(difference(automatic, await picture(page, 'colour-own', '#stage canvas')) > 0.01);
  await waitFor('the range in the address', async () => page.url().includes('range=0,50000'));
  await high.fill('-7'); // below the low end: refused
  await high.press('Enter');
  assert.ok(page.url().includes('range=0,50000'));
  await page.locator('#legend button').click();
  assert.equal(Number(await high.inputValue()), largest);
  await close();
});

test('the curves have a cursor that is tied to the time line', async () => {
  const { page, close } = await open();
  await waitFor('curves', async () => (await page.locator('.chart canvas').count()) === 2);
  await page.locator('#time').fill('20');
  await waitFor('frame 20', async () => (await shownTime(page)) === 1);
  await waitFor('the cursor at 1 s', async () => Math.abs(minus(await curveValue(page, 0)) - 0.8 * Math.cos(1)) < 1e-4);
  assert.match(await page.locator('.chart').nth(1).textContent(), /load \[N\]/);
  // A click on a curve moves the time line.
  const plot = page.locator('.chart').nth(0).locator('.u-over');
  const { width, height } = await plot.boundingBox();
  await plot.click({ position: { x: 0.25 * width, y: height / 2 } });
  await waitFor('time follows', async () => Math.abs((await shownTime(page)) - 0.5) < 0.06);
  // Drag to zoom; both charts follow; double-click shows all again.
  const ticks = () => page.evaluate(() => document.querySelectorAll('.chart canvas').length);
  assert.equal(await ticks(), 2);
  const place = await plot.boundingBox();
  await page.mouse.move(place.x + 0.4 * width, place.y + 40);
  await page.mouse.down();
  await page.mouse.move(place.x + 0.6 * width, place.y + 40, { steps: 5 });
  await page.mouse.up();
  await page.mouse.move(place.x + 0.5 * width, place.y + 40);
  const middle = minus(await page.locator('.chart').nth(1).locator('.u-legend .u-value').nth(0).textContent());
  assert.ok(Math.abs(middle - 1.02) < 0.05, `the middle of the zoom is ${middle}`);
  await picture(page, 'curves-zoomed');
  await page.mouse.move(place.x + 1, place.y + 40);
  const left = minus(await page.locator('.chart').nth(1).locator('.u-legend .u-value').nth(0).textContent());
  assert.ok(Math.abs(left - 0.82) < 0.05, `the left end of the zoom is ${left}`);
  const before = await shownTime(page);
  await plot.dblclick({ position: { x: 0.5 * width, y: 40 } });
  await page.mouse.move(place.x + 1, place.y + 40);
  await waitFor('all is shown', async () => minus(await page.locator('.chart').nth(1).locator('.u-legend .u-value').nth(0).textContent()) < 0.05);
  await page.waitForTimeout(400);
  assert.equal(await shownTime(page), before, 'a double click is no click');
  await close();
});

test('a reload keeps time, camera, field, speed and layers', async () => {
  const { page, close } = await open();
  await page.locator('#time').fill('24');
  await page.locator('#field').selectOption('bodies/velocity.y');
  await page.locator('#speed').selectOption('0.5');
  await page.locator('.menu summary').click();
  await page.locator('input[data-layer="joint forces"]').check();
  await page.locator('#title').click(); // closes the menu
  assert.ok(await page.locator('#layers').isHidden());
  await settled(page);
  const untouched = await picture(page, 'reload-untouched', '#stage canvas');
  const stage = await page.locator('#stage canvas').boundingBox();
  await page.mouse.move(stage.x + 300, stage.y + 300);
  await page.mouse.down();
  await page.mouse.move(stage.x + 420, stage.y + 260, { steps: 6 });
  await page.mouse.up();
  await page.waitForTimeout(400);
  await settled(page);
  const before = await picture(page, 'reload-before', '#stage canvas');
  const address = page.url();
  assert.match(address, /t=1\.2&camera=[-\d.,e]+&field=bodies\/velocity\.y/);
  await page.reload();
  await loaded(page);
  await waitFor('the same time', async () => Math.abs((await shownTime(page)) - 1.2) < 1e-9);
  await settled(page);
  const again = await picture(page, 'reload-after', '#stage canvas');
  // The grid and the longest arrow fit what has been seen, which is less after a reload: thin lines move a little.
  assert.ok(difference(before, again) < 0.05, `${difference(before, again)} of the picture has changed`);
  assert.ok(difference(before, untouched) > 0.1, 'the camera had not been moved at all');
  await page.waitForTimeout(400);
  assert.equal(page.url().match(/camera=([^&]*)/)[1], address.match(/camera=([^&]*)/)[1]);
  assert.equal(await page.locator('#field').inputValue(), 'bodies/velocity.y');
  assert.equal(await page.locator('#speed').inputValue(), '0.5');
  assert.ok(await page.locator('input[data-layer="joint forces"]').isChecked());
  await close();
});

test('the camera follows a body, and a click tells about it', async () => {
  const { page, close } = await open('#camera=0,-6,1,-1,0,0.6');
  await page.locator('#follow').selectOption('ball');
  const target = () => page.url().match(/camera=([^&]*)/)?.[1].split(',').slice(3).map(Number);
  await page.locator('#time').fill('40');
  await waitFor('the target is the ball', async () => {
    const t = target();
    return t && Math.hypot(t[0] + 1, t[1] - 0.8 * Math.cos(2), t[2] - 0.6 - 0.1 * Math.sin(2)) < 1e-3;
  });
  await settled(page);
  const { width, height } = await page.locator('#stage canvas').boundingBox();
  await page.locator('#stage canvas').click({ position: { x: width / 2, y: height / 2 } });
  assert.match(await page.locator('#info').textContent(), /ball 1 kg.*position.*velocity/s);
  await close();
});

test('names with markup are shown as text', async () => {
  const { page, close } = await open();
  assert.ok((await page.locator('#follow option').allTextContents()).includes('<b>point</b>'));
  await close();
});

test('nonsense in the address gets a message, and the rest works', async () => {
  for (const [hash, message] of [['#camera=1,2', /six numbers/], ['#field=bodies/taste', /no field 'bodies\/taste'/]]) {
    const { page, close } = await open(hash);
    await waitFor('a message', () => page.locator('#error').isVisible());
    assert.match(await page.locator('#error-text').textContent(), message);
    await close();
  }
  const { page, close } = await open('#t=1e9');
  assert.equal(await shownTime(page), 2);
  await close();
});

test('a running result grows on the page', async () => {
  const folder = join(scratch, 'growing');
  const writing = makeResult('growing', folder, 8);
  await waitFor('the folder', async () => { try { return readFileSync(join(folder, 'index.jsonl')); } catch { return null; } });
  const growing = await view(folder);
  const { page, problems, close } = await openPage(browser, growing.address);
  await loaded(page);
  assert.equal(await page.locator('#status').textContent(), 'running');
  assert.equal(await page.locator('#live').getAttribute('aria-pressed'), 'true');
  const first = await shownTime(page);
  await waitFor('newer frames', async () => (await shownTime(page)) > first + 0.9);
  await waitFor('the cursor is at the newest time', async () => Math.abs(minus(await curveValue(page, 0)) - 0.8 * Math.cos(await shownTime(page))) < 1e-3);
  assert.equal(await page.locator('#speed').inputValue(), '1');
  await picture(page, 'running');
  // Looking back switches the following off, by whatever way; the button switches it on again.
  const live = () => page.locator('#live').getAttribute('aria-pressed');
  await page.locator('#title').click();
  for (const back of [() => page.keyboard.press('ArrowLeft'), () => page.locator('button[title^="One frame back"]').click(), () => page.keyboard.press('Home')]) {
    await back();
    assert.equal(await live(), 'false');
    await page.locator('#live').click();
    assert.equal(await live(), 'true');
  }
  await page.locator('#time').fill('3');
  await waitFor('frame 3', async () => Math.abs((await shownTime(page)) - 0.3) < 1e-9);
  assert.equal(await live(), 'false');
  await writing;
  await waitFor('done', async () => (await page.locator('#status').textContent()) === 'done');
  await waitFor('all frames', async () => (await page.locator('#time').getAttribute('max')) === '79');
  assert.ok(Math.abs((await shownTime(page)) - 0.3) < 1e-9);
  assert.equal(await page.locator('#title').textContent(), 'Growing');
  await page.locator('#time').fill('79');
  await waitFor('the curves have grown', async () => Math.abs(minus(await curveValue(page, 0)) - 0.8 * Math.cos(7.9)) < 1e-3);
  assert.deepEqual(problems, []);
  await growing.stop();
  await close();
});

test('a truncated result: a clear message, and what is whole still plays', async () => {
  const folder = join(scratch, 'truncated');
  await makeResult('growing', folder, 2);
  const file = join(folder, 'frames-000001.h5');
  truncateSync(file, statSync(file).size - 100);
  const damaged = await view(folder);
  const { page, close } = await openPage(browser, damaged.address);
  await loaded(page);
  await page.locator('#time').fill('5');
  await waitFor('a message', () => page.locator('#error').isVisible());
  assert.match(await page.locator('#error-text').textContent(), /frames-000001\.h5.*bytes/);
  await settled(page);
  assert.ok(colourCount(await picture(page, 'truncated', '#stage canvas')) > 10, 'the last whole frame has vanished');
  await page.locator('#error-close').click();
  await page.locator('#time').fill('1');
  await waitFor('frame 1', async () => (await shownTime(page)) === 0.1);
  await damaged.stop();
  await waitFor('the loss is told', () => page.locator('#error').isVisible());
  assert.match(await page.locator('#error-text').textContent(), /no answer/);
  await close();
});

test('what falls far, diverges, appears late or has holes', async () => {
  const folder = join(scratch, 'odd');
  await makeResult('odd', folder);
  const odd = await view(folder);
  const { page, problems, close } = await openPage(browser, odd.address);
  await loaded(page);
  assert.equal(await page.locator('#status').textContent(), 'diverged');
  assert.equal(await page.locator('#reason').textContent(), 'it flew apart');
  const options = () => page.locator('#field option').allTextContents();
  assert.ok(!(await options()).some((label) => label.includes('heat')), 'no grains yet, so no heat');
  // The whole fall of 20 m is in view after a moment: a grid step of 2 or 5 m, not of 0.5 m, and not of 1e29 m.
  await waitFor('a view of the whole motion', async () => /grid [25] m/.test(await page.locator('.scale-note').textContent()));
  await settled(page);
  const first = await picture(page, 'odd-0', '#stage canvas');
  assert.ok(colourCount(first) > 5, 'nothing to be seen');
  await page.locator('#time').fill('4');
  await waitFor('frame 4', async () => (await shownTime(page)) > 0.3);
  await settled(page);
  assert.ok(difference(first, await picture(page, 'odd-4', '#stage canvas')) > 1e-4, 'the hole has not moved');
  await page.locator('#time').fill('20');
  await waitFor('frame 20', async () => (await shownTime(page)) === 2);
  assert.ok((await options()).includes('sand heat [K]'));
  await page.locator('#field').selectOption('sand/heat');
  await waitFor('a legend', () => page.locator('#legend').isVisible());
  await settled(page);
  assert.ok(colourCount(await picture(page, 'odd-20', '#stage canvas')) > 5);
  assert.deepEqual(problems, []);
  await odd.stop();
  await close();
});

test('200,000 spheres can be looked at', async () => {
  const folder = join(scratch, 'grains');
  await makeResult('grains', folder, 200000, 5);
  const grains = await view(folder);
  const { page, problems, close } = await openPage(browser, `${grains.address}#field=sand/pressure`);
  await loaded(page);
  await settled(page);
  const png = await picture(page, 'grains-200000', '#stage canvas');
  assert.ok(colourCount(png) > 40);
  await page.locator('#time').fill('4');
  await waitFor('frame 4', async () => (await shownTime(page)) === 0.2);
  assert.deepEqual(problems, []);
  await grains.stop();
  await close();
});

test('ellipsoids look as a ray tracer draws them', async () => {
  const folder = join(scratch, 'ellipsoids');
  await makeResult('ellipsoids', folder, 48);
  const eye = [1.1, -0.7, 0.85];
  const target = [0.38, 0.38, 0.3];
  const shoot = async (name, ...words) => {
    const out = join(results, `${name}.png`);
    await hardpan('shot', folder, '--out', out, '--size', '480x360', '--camera', [...eye, ...target].join(), ...words);
    return readPng(readFileSync(out));
  };
  const shown = await shoot('ellipsoids');
  const expected = await shoot('ellipsoids-not', '--layers', '-grains');
  assert.ok(difference(shown, expected) > 0.2, 'there are no ellipsoids');
  drawEllipsoids(expected, 48, eye, target);
  // Rounding decides about a few pixels of outlines.
  const wrong = difference(shown, expected, 3);
  assert.ok(wrong < 5e-4, `${wrong} of the picture differs`);
});

test('shot: a picture without a window', async () => {
  const shoot = async (name, ...words) => {
    const out = join(scratch, name);
    await hardpan('shot', gallery, '--out', out, ...words);
    return readPng(readFileSync(out));
  };
  const early = await shoot('a.png', '--time', '0.2', '--size', '640x360');
  assert.deepEqual([early.width, early.height], [640, 360]);
  assert.ok(colourCount(early) > 40);
  const late = await shoot('b.png', '--time', '1.8', '--size', '640x360', '--field', 'sand/pressure');
  assert.ok(difference(early, late) > 0.01);
  assert.ok(shareNear(late, [253, 231, 37], 30) > 0.0005, 'no yellow: the legend is missing');
  const top = await shoot('c.png', '--time', '0.2', '--size', '640x360', '--camera', 'top');
  assert.ok(difference(early, top) > 0.05);
  const bare = await shoot('e.png', '--time', '0.2', '--size', '640x360', '--layers', '-sand,-ground');
  assert.ok(difference(early, bare) > 0.01);
  const dim = await shoot('f.png', '--time', '1.8', '--size', '640x360', '--field', 'sand/pressure', '--range', '0,1e+6');
  assert.ok(difference(late, dim) > 0.005);
  await assert.rejects(shoot('d.png', '--field', 'bodies/taste'), /no field 'bodies\/taste'/);
  await assert.rejects(shoot('d.png', '--layers', '+aura'), /no layer 'aura'/);
});
