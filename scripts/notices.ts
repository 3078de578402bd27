// What the bundle contains of others: their licences and notices as a text, and a list for machines (CycloneDX), both made
// from what the bundler says it has put in.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

/** Licences under which a library may be bundled; any other stops the build. */
const ALLOWED = new Set([
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
]);

interface Bundled {
  name: string;
  version: string;
  licence: string;
  author: string | undefined;
  /** The texts of its LICENSE, then of its NOTICE. */
  texts: string[];
  /** Hexadecimal SHA-512 of its tarball. */
  sha512: string | undefined;
}

/** Writes THIRD-PARTY-NOTICES.txt and sbom.cdx.json into `out`; throws where a licence is unknown or missing. */
export function writeNotices(root: string, out: string, metafiles: Metafile[]): void {
  const bundled = foldersIn(metafiles).map((folder) => read(root, folder));
  const refused = bundled.filter(({ licence }) => !ALLOWED.has(licence));
  if (refused.length > 0)
    throw new Error(
      `These may not be bundled, see ALLOWED in scripts/notices.ts: ${refused.map(({ name, licence }) => `${name} (${licence})`).join(', ')}`,
    );
  for (const one of bundled) if (!one.texts.some(isLicence)) one.texts.unshift(standIn(one, bundled));
  writeFileSync(join(out, 'THIRD-PARTY-NOTICES.txt'), noticesOf(bundled));
  writeFileSync(join(out, 'sbom.cdx.json'), `${JSON.stringify(sbomOf(root, bundled), null, 1)}\n`);
}

/** The packages of which at least one byte is in an output. */
export function foldersIn(metafiles: Metafile[]): string[] {
  const paths = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
    ),
  );
  const folders = paths.flatMap(
    (path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? [],
  );
  return [...new Set(folders)].sort();
}

function read(root: string, folder: string): Bundled {
  const path = join(root, folder);
  const said = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Record<string, unknown>;
  const text = (value: unknown, key: string): string | undefined =>
    typeof value === 'string' ? value : (value as Record<string, string> | undefined)?.[key];
  const [older] = (said.licenses ?? []) as { type?: string }[];
  const files = readdirSync(path).filter((name) => /^(licen[cs]e|copying|notice)\b/i.test(name));
  return {
    name: said.name as string,
    version: said.version as string,
    licence: text(said.license, 'type') ?? older?.type ?? 'no licence',
    author: text(said.author, 'name'),
    texts: files.sort().map((name) => readFileSync(join(path, name), 'utf8').replaceAll('\r\n', '\n').trim()),
    sha512: integrityOf(root, folder),
  };
}

function integrityOf(root: string, folder: string): string | undefined {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { integrity?: string }>;
  };
  const [, base64] = /^sha512-(\S+)/.exec(packages[folder]?.integrity ?? '') ?? [];
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64').toString('hex');
}

const isLicence = (text: string): boolean => /permission|licensed? under|terms and conditions/i.test(text);

/** For a package without a licence text: Apache's, which names nobody, from another one; MIT's with its author. */
function standIn({ name, licence, author }: Bundled, all: Bundled[]): string {
  const apache = all
    .flatMap(({ texts }) => texts)
    .find((text) => text.includes('END OF TERMS AND CONDITIONS'));
  if (licence === 'Apache-2.0' && apache !== undefined) return apache;
  if (licence === 'MIT' && author !== undefined) return `Copyright (c) ${author}\n\n${MIT}`;
  throw new Error(
    `${name} has no text of its licence (${licence}), and scripts/notices.ts knows none for it.`,
  );
}

function noticesOf(bundled: Bundled[]): string {
  const byText = new Map<string, Bundled[]>();
  for (const one of bundled) {
    const text = [...new Set(one.texts)].join('\n\n');
    byText.set(text, [...(byText.get(text) ?? []), one]);
  }
  const parts = [...byText].map(
    ([text, those]) =>
      `${those.map(({ name, version, licence }) => `${name} ${version} (${licence})`).join('\n')}\n\n${text}\n`,
  );
  return `council contains the following software of others.\n\n${parts.map((part) => `${'-'.repeat(80)}\n${part}`).join('\n')}`;
}

/** CycloneDX 1.6. Without a date and a serial number: the same sources give the same file. */
function sbomOf(root: string, bundled: Bundled[]): unknown {
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, string>;
  const component = (one: Pick<Bundled, 'name' | 'version' | 'licence'>): Record<string, unknown> => ({
    'bom-ref': purl(one),
    name: one.name,
    version: one.version,
    licenses: [{ license: { id: one.licence } }],
    purl: purl(one),
  });
  const us = { name: own.name!, version: own.version!, licence: own.license! };
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', ...component(us) } },
    components: bundled.map((one) => ({
      type: 'library',
      ...component(one),
      ...(one.sha512 !== undefined && { hashes: [{ alg: 'SHA-512', content: one.sha512 }] }),
    })),
    dependencies: [{ ref: purl(us), dependsOn: bundled.map(purl) }],
  };
}

const purl = ({ name, version }: Pick<Bundled, 'name' | 'version'>): string =>
  `pkg:npm/${name.replace('@', '%40')}@${version}`;

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
