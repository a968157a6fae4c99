// What the browser tests share: the browser, programs to run, pictures to keep.
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { readPng } from './png.mjs';

const skipped = 77; // ctest's SKIP_RETURN_CODE

export function environment(name) {
  const value = process.env[name];
  if (!value) throw new Error(`the environment variable ${name} is missing: run these tests by ctest`);
  return value;
}

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

export function findBrowser() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
  if (found) return found;
  if (process.env.HARDPAN_REQUIRE_BROWSER) throw new Error(`no browser found (${names.join(', ')}), and it is required here`);
  console.log('SKIPPED: no Chromium here; tools/setup.sh browser installs it');
  process.exit(skipped);
}

// As a real user's browser, but for a machine without display and network.
const flags = [
  '--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
  '--disable-sync', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
];

export async function startBrowser() {
  const executablePath = findBrowser();
  const { chromium } = createRequire(join(environment('HARDPAN_NODE_MODULES'), 'x'))('playwright-core');
  return chromium.launch({ executablePath, args: flags });
}

export const scratch = mkdtempSync(join(tmpdir(), 'hardpan-browser-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
export const results = environment('HARDPAN_PICTURES'); // screenshots stay there, to be looked at
mkdirSync(results, { recursive: true });

const execute = promisify(execFile);
export const hardpan = (...words) => execute(environment('HARDPAN'), words, { cwd: scratch, maxBuffer: 1 << 26 });
export const makeResult = (...words) => execute(environment('HARDPAN_MAKE_RESULT'), words.map(String), { cwd: scratch });

const servers = new Set();
export const stopAll = () => Promise.all([...servers].map((stop) => stop()));

// hardpan view; gives its address and a way to end it. stopAll() ends those that a failed test left behind.
export async function view(folder, ...words) {
  const child = spawn(environment('HARDPAN'), ['view', folder, '--no-open', ...words], { cwd: scratch });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const address = await new Promise((resolve, reject) => {
    let text = '';
    const read = (piece) => {
      text += piece;
      const match = text.match(/http:\/\/\S+/);
      if (match) resolve(match[0]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', (piece) => (text += piece));
    child.on('exit', () => reject(new Error(`hardpan view has ended: ${text}`)));
  });
  const stop = () => (servers.delete(stop), child.kill('SIGTERM'), ended);
  servers.add(stop);
  return { address, stop };
}

// A page whose errors and requests to other places fail the test that looks at `problems`.
export async function openPage(browser, address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 850 }, ...options });
  const page = await context.newPage();
  const problems = [];
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('console', (message) => message.type() === 'error' && problems.push(`console: ${message.text()}`));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (!['data:', 'blob:'].includes(protocol) && origin !== new URL(address).origin) problems.push(`asked elsewhere: ${request.url()}`);
  });
  await page.goto(address);
  return { page, problems, close: () => context.close() };
}

export async function picture(page, name, selector) {
  const target = selector ? page.locator(selector) : page;
  return readPng(await target.screenshot({ path: join(results, `${name}.png`) }));
}

// Two frames of the browser: what was asked for is on the screen.
export const settled = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50)))));

export const shownTime = (page) => page.locator('#clock').getAttribute('data-time').then(Number);

export async function waitFor(what, condition, seconds = 20) {
  const end = Date.now() + 1000 * seconds;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited ${seconds} s in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export const loaded = (page) => waitFor('a first frame', async () => Number.isFinite(await shownTime(page).catch(() => NaN)) && (await page.locator('#clock').textContent()));
