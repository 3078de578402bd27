import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CALLS, getCallDefinition } from '../../../src/server/remote/calls.ts';
import { openApi } from '../../../src/server/http/openapi.ts';
import manifest from '../../../package.json' with { type: 'json' };

const COPY = join(import.meta.dirname, '../../../docs/openapi.json');

describe('the OpenAPI document', () => {
  const document = JSON.parse(JSON.stringify(openApi(manifest.version))) as ReturnType<typeof openApi>;

  it('is in docs/ as the server gives it: npm run docs writes it', () => {
    expect(JSON.parse(readFileSync(COPY, 'utf8'))).toEqual(document);
  });

  it('has every call, with the fields that it takes', () => {
    const { paths } = document as { paths: Record<string, { post?: unknown }> };
    for (const name of CALLS) expect(paths[`/api/v1/${name}`]?.post).toBeDefined();
    expect(JSON.stringify(paths['/api/v1/start'])).not.toContain('"trust"');
  });

  it('says what becomes of a call that is sent twice, as docs/server/serve.md does', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/server/serve.md'), 'utf8');
    for (const again of ['key', 'revision', 'same', 'adds'] as const) {
      const [, named = ''] = new RegExp(`^\\| \`${again}\` \\| ([^|]*) \\|`, 'm').exec(page) ?? [];
      const calls = CALLS.filter((name) => getCallDefinition(name).again === again);
      expect(named.split(', ').sort()).toEqual(calls.map((name) => `\`${name}\``).sort());
    }
  });

  it('has no reference to what is not there', () => {
    const text = JSON.stringify(document);
    for (const [, path] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const found = path!
        .split('/')
        .reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], document);
      expect(found, path).toBeDefined();
    }
  });
});
