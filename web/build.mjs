// Bundles src/ into one script, one style sheet and one page, compresses them, and writes them as a C++ source.
//   node build.mjs OUT [NODE_MODULES]
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? 'dist');
const modules = resolve(process.argv[3] ?? join(here, 'node_modules'));
const { build } = createRequire(join(modules, 'x'))('esbuild');

const result = await build({
  entryPoints: [join(here, 'src/page.ts')],
  outdir: out,
  write: false,
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['chrome109', 'firefox115', 'safari16.4'],
  nodePaths: [modules],
  legalComments: 'eof',
  logLevel: 'warning',
});

const contents = (ending) => Buffer.from(result.outputFiles.find((f) => f.path.endsWith(ending)).contents);
const pages = {
  script: contents('.js'),
  style: contents('.css'),
  viewer: readFileSync(join(here, 'src/viewer.html')),
};

// A string literal: printable characters as they are, others as three octal digits. Compilers limit its length.
const literal = (bytes) => {
  const lines = [];
  for (let i = 0; i < bytes.length; i += 4000) {
    let line = '';
    for (const byte of bytes.subarray(i, i + 4000)) {
      const c = String.fromCharCode(byte);
      line += byte >= 32 && byte < 127 && !'"\\?'.includes(c) ? c : '\\' + byte.toString(8).padStart(3, '0');
    }
    lines.push(`    "${line}"`);
  }
  return lines.join('\n');
};

mkdirSync(out, { recursive: true });
let source = '// Made by web/build.mjs.\n#include "hardpan/record/pages.h"\n\nnamespace hardpan::record::pages {\n';
for (const [name, bytes] of Object.entries(pages)) {
  const packed = gzipSync(bytes, { level: 9 });
  writeFileSync(join(out, `${name}.gz`), packed);
  source += `\nconst std::string_view ${name}(\n${literal(packed)},\n    ${packed.length});\n`;
  console.log(`${name}: ${bytes.length} bytes, ${packed.length} compressed`);
}
writeFileSync(join(out, 'pages.cpp'), source + '\n}  // namespace hardpan::record::pages\n');
