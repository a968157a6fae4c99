// The pages in README and docs (make pictures): node pictures.mjs RUN OUT
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { hardpan, loaded, makeResult, openPage, scratch, startBrowser, stopAll, view } from './harness.mjs';

const [run, out] = process.argv.slice(2).map((path) => resolve(path));
const browser = await startBrowser();

async function capture(address, name, viewport, before = async () => {}) {
  const { page, close } = await openPage(browser, address, { viewport });
  await loaded(page);
  await before(page);
  await page.waitForTimeout(700);
  await page.screenshot({ path: join(out, `${name}.png`) });
  await close();
}

const pendulum = await view(run);
await capture(`${pendulum.address}#t=1.2&field=bodies/velocity&layers=%2Bjoint forces&camera=1.2,-3.6,0,0.1,0,-0.7`, 'viewer', { width: 1280, height: 760 });
await capture(pathToFileURL(join(run, 'report.html')).href, 'report', { width: 1000, height: 1250 }, async (page) => {
  await page.locator('#time').fill('40');
  await page.evaluate(() => document.querySelector('#replay').scrollIntoView());
});
const gallery = join(scratch, 'gallery');
await makeResult('gallery', gallery);
await hardpan('shot', gallery, '--time', '1.2', '--field', 'sand/pressure', '--size', '1200x640', '--out', join(out, 'gallery.png'));
await stopAll();
await browser.close();
