import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import { openTurn } from '../helpers/in-turn.ts';

interface Messages {
  messages: { id: string; text: string }[];
}

async function bench() {
  const project = await newProject();
  for (const id of ['ada', 'ben']) await project.council(['agents', 'add', id, '--runner', 'human']);
  const key = await project.council<{ path: string; key: string }>(['agents', 'key', 'ada', '--json']);
  await project.council(['send', 'ben', 'Deploy at noon', '--from', 'ada']);
  const file = filesOf(project.root, 'general')[0]!;
  const inbox = async (...more: string[]) => {
    const told = await project.council<Messages>(['inbox', 'ben', '--json', ...more]);
    return { texts: told.json.messages.map(({ text }) => text), told: told.stderr };
  };
  const logged = (): string =>
    readdirSync(join(project.root, 'memory', 'logs'))
      .map((name) => readFileSync(join(project.root, 'memory', 'logs', name), 'utf8'))
      .join('');
  return { ...project, keyFile: key.json.path, keyId: key.json.key, file, inbox, logged };
}

const channels = (root: string): string => join(root, 'memory', 'shared', 'channels');

const filesOf = (root: string, channel: string): string[] =>
  readdirSync(join(channels(root), channel), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(channels(root), channel, name));

const change = (from: string, to: string, edit: (text: string) => string): void => {
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, edit(readFileSync(from, 'utf8')));
};

describe('messages of an agent with a key', () => {
  it('are signed, read by everybody, and the key stays outside the project', async () => {
    const { root, council, keyFile, keyId, file, inbox } = await bench();
    expect(keyFile.startsWith(root)).toBe(false);
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    const { metadata } = JSON.parse(readFileSync(file, 'utf8')) as { metadata: { signature: unknown } };
    expect(metadata.signature).toEqual({
      version: 1,
      key: keyId,
      nonce: expect.stringMatching(/^[0-9a-f]{16}$/),
      hmac: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect((await council(['protocol', 'parse', '--from', 'file', file])).code).toBe(0);
    await council(['send', 'ben', 'No key, no signature', '--from', 'human']);
    expect(await inbox()).toEqual({ texts: ['Deploy at noon', 'No key, no signature'], told: '' });
    // Twice the same: having been seen is no offence.
    expect((await inbox('--unread')).texts).toHaveLength(2);
  });

  it.each([
    ['text', (text: string) => text.replace('noon', 'midnight')],
    ['recipient', (text: string) => text.replace('"to": "ben"', '"to": "all"')],
    ['time', (text: string) => text.replace(/"timestamp": "\d{4}/, '"timestamp": "2001')],
    ['type', (text: string) => text.replace('"type": "chat"', '"type": "control"')],
    [
      'priority',
      (text: string) => text.replace('"metadata": {', '"metadata": {\n    "priority": "critical",'),
    ],
    ['signature', (text: string) => text.replace(/"hmac": "./, '"hmac": "')],
    ['nonce', (text: string) => text.replace(/"nonce": "[0-9a-f]{4}/, '"nonce": "0000')],
  ])('are refused when their %s was changed', async (_, edit) => {
    const { file, inbox, logged, council } = await bench();
    change(file, file, edit);
    const { texts, told } = await inbox();
    expect(texts).toEqual([]);
    expect(told).toContain('is left out: its signature does not fit');
    await inbox();
    expect(logged().match(/"event":"rejected"/g)).toHaveLength(1);
    expect(logged()).toContain('its signature does not fit');
    expect((await council(['channel', 'show'])).stdout).not.toContain('Deploy');
  });

  it('are refused without a signature, and in the name of another', async () => {
    const { file, inbox } = await bench();
    const unsigned = file.replace(/[0-9a-f]{4}\.json$/, 'ffff.json');
    const id = (name: string): string => name.split('/').at(-1)!.slice(0, -'.json'.length);
    change(file, unsigned, (text) => {
      const { metadata: _, ...rest } = JSON.parse(text);
      return JSON.stringify({ ...rest, id: id(unsigned), content: { text: 'Forged by hand' } });
    });
    // What ada has signed, said to be from a person.
    const renamed = file.replace('-ada-', '-human-');
    change(file, renamed, (text) =>
      text.replace('"from": "ada"', '"from": "human"').replaceAll(id(file), id(renamed)),
    );
    const { texts, told } = await inbox();
    expect(texts).toEqual(['Deploy at noon']);
    expect(told).toContain('it is not signed, and ada has a key');
    expect(told).toContain('it was signed by ada, not by human');
  });

  it('are read although others nest theirs without end', async () => {
    const { file, inbox } = await bench();
    const deep = (opens: string, end: string): string => `${opens.repeat(50_000)}1${end.repeat(50_000)}`;
    for (const [at, nested] of [deep('[', ']'), deep('{"a":', '}')].entries())
      change(file, file.replace(/[0-9a-f]{4}\.json$/, `fff${at}.json`), (text) =>
        text.replace('{', `{ "letter": "\\u0041", "nested": ${nested},`),
      );
    const { texts, told } = await inbox();
    expect(texts).toEqual(['Deploy at noon']);
    expect(told).toContain('lists and objects in each other');
  });

  it('are refused when they were signed by another agent', async () => {
    const { root, council, file, inbox } = await bench();
    await council(['agents', 'key', 'ben']);
    await council(['send', 'ada', 'Mine', '--from', 'ben']);
    const theirs = filesOf(root, 'general').find((name) => name !== file)!;
    change(theirs, theirs, (text) =>
      text.replace('"from": "ben"', '"from": "ada"').replace('"to": "ada"', '"to": "ben"'),
    );
    const { texts, told } = await inbox();
    expect(texts).toEqual(['Deploy at noon']);
    expect(told).toContain('signed with a key that ada does not have');
  });

  it('are refused in another channel, and under another name or id', async () => {
    const { root, file, inbox, council } = await bench();
    const day = file.split('/').at(-2)!;
    const elsewhere = join(channels(root), 'secret', day, file.split('/').at(-1)!);
    mkdirSync(dirname(elsewhere), { recursive: true });
    copyFileSync(file, elsewhere);
    expect((await inbox('--channel', 'secret')).texts).toEqual([]);
    change(file, elsewhere, (text) => text.replace('"general"', '"secret"'));
    expect((await inbox('--channel', 'secret')).told).toContain('does not fit');
    // Acknowledged, and played again under another name, as it is and with another id.
    await council(['ack', file.split('/').at(-1)!.slice(0, -5), '--as', 'ben']);
    const later = file.replace(/[0-9a-f]{4}\.json$/, 'fffe.json');
    copyFileSync(file, later);
    expect((await inbox()).told).toContain('under the name of another message');
    change(file, later, (text) =>
      text.replace(/"id": "[^"]*"/, `"id": "${later.split('/').at(-1)!.slice(0, -5)}"`),
    );
    const again = await inbox('--unread');
    expect(again.texts).toEqual([]);
    expect(again.told).toContain('does not fit');
  });

  it('keep being believed after the key was replaced, but the old key signs nothing new', async () => {
    const { root, council, keyFile, file, inbox } = await bench();
    const old = readFileSync(keyFile, 'utf8');
    const rotated = await council(['agents', 'key', 'ada', '--rotate']);
    expect(rotated.stdout).toContain('What it signed before stays believed');
    await council(['send', 'ben', 'With the new key', '--from', 'ada']);
    expect((await inbox()).texts).toEqual(['Deploy at noon', 'With the new key']);
    // Whoever kept the old key.
    const current = readFileSync(keyFile, 'utf8');
    writeFileSync(keyFile, old);
    await council(['send', 'ben', 'With the old key', '--from', 'ada']);
    writeFileSync(keyFile, current);
    const { texts, told } = await inbox();
    expect(texts).toEqual(['Deploy at noon', 'With the new key']);
    expect(told).toContain('a key that was replaced before');
    // Damaging the file of the keys opens nothing.
    appendFileSync(keyFile, '{');
    expect((await inbox()).texts).toEqual([]);
    await council(['agents', 'key', 'ada', '--remove']);
    expect((await inbox()).texts).toEqual(['Deploy at noon', 'With the new key', 'With the old key']);
    expect(filesOf(root, 'general')).toContain(file);
  });

  it('cannot be sent by another agent, nor can an agent change a key', async () => {
    const project = await bench();
    const { council } = project;
    const env = openTurn(project, 'ben', { kind: 'message', message: 'msg-1', channel: 'general' });
    expect((await council(['send', 'ben', 'I am ada', '--from', 'ada'], { env })).stderr).toContain(
      'ben speaks for itself, not for ada',
    );
    expect((await council(['agents', 'key', 'ada', '--remove'], { env })).code).toBe(1);
    expect((await council(['agents', 'key', 'nobody'])).code).toBe(2);
  });
});
