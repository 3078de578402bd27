// A command against a server: what was given on this command line, as the input of a call.
import { userName } from '../app/app.ts';
import { readGivenFile } from '../app/given-file.ts';
import type { Field, Fields, Raw } from '../app/input/fields.ts';
import { READ_LIMITS } from '../base/limits.ts';
import { decodeText } from '../base/text.ts';
import type { Cli, FromServer } from './io.ts';
import { givenText } from './read-text.ts';

/** Has a server do what this command line asks for. */
export async function asksServer(
  cli: Cli,
  server: string,
  name: string,
  fields: Fields,
  raw: Raw,
): Promise<FromServer> {
  const { askServer } = await import('../app/remote/client.ts');
  const given = await Promise.all(
    Object.entries(fields).map(
      async ([field, what]) => [field, await valueOf(cli, what, field, raw[field])] as const,
    ),
  );
  const input: Record<string, unknown> = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  if (name === 'approvals' && ['approve', 'reject'].includes(String(input.action))) input.as ??= userName();
  const result = await askServer(cli, { server, name, input });
  return { ...result, bytes: typeof input.text === 'string' ? Buffer.byteLength(input.text) : 0 };
}

/** What goes over the wire of one field; nothing where nothing was said. */
async function valueOf(cli: Cli, field: Field, name: string, given: unknown): Promise<unknown> {
  if (field.kind === 'document') {
    const text = givenText(cli)(typeof given === 'string' ? given : undefined, field);
    return text && decodeText(await text.bytes(), 'The text');
  }
  const value = given ?? (field.variable === undefined ? undefined : cli.env[field.variable] || undefined);
  if (field.kind === 'flag') return value === (field.default ?? false) ? undefined : value;
  if (Array.isArray(value) && value.length === 0) return undefined;
  if (name === 'code' && typeof value === 'string' && value.startsWith('@'))
    return decodeText(readGivenFile(cli.cwd, value.slice(1), READ_LIMITS.message), value.slice(1));
  return value;
}
