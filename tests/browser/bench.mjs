// How quick the viewer is: `make bench-view`. Times from the start of `hardpan view` to the first picture, and pictures
// per second while playing, with software rendering (a graphics processor is far quicker).
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { loaded, makeResult, openPage, scratch, startBrowser, stopAll, view } from './harness.mjs';

const browser = await startBrowser();

async function measure(name, ...kind) {
  const folder = join(scratch, name);
  await makeResult(kind[0], folder, ...kind.slice(1));
  const bytes = statSync(join(folder, 'frames-000000.h5')).size;
  const start = performance.now();
  const server = await view(folder);
  const { page, close } = await openPage(browser, server.address);
  await loaded(page);
  await page.evaluate(() => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r))));
  const first = performance.now() - start;
  // Pictures per second while the camera goes round.
  const rate = await page.evaluate(async () => {
    const canvas = document.querySelector('#stage canvas');
    const pictures = 12;
    const from = performance.now();
    for (let i = 0; i < pictures; ++i) {
      canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: i % 2 ? 40 : -40, bubbles: true, cancelable: true }));
      await new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)));
    }
    canvas.getContext('webgl2').finish();
    return (1000 * pictures) / (performance.now() - from);
  });
  console.log(`${name.padEnd(24)} ${(bytes / 1e6).toFixed(1).padStart(7)} MB   first picture ${(first / 1000).toFixed(2)} s   ${rate.toFixed(1)} pictures/s`);
  await close();
  await server.stop();
}

await measure('one of everything', 'gallery');
await measure('20,000 grains, 50 MB', 'grains', 20000, 62);
await measure('200,000 grains, 50 MB', 'grains', 200000, 6);
await stopAll();
await browser.close();
