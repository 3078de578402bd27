import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withWorkers } from '../helpers/scripted-workers.ts';
import type { Scripted, ScriptedWorker } from '../helpers/scripted-workers.ts';

const poll = <T>(look: () => T | Promise<T>) => expect.poll(look, { interval: 50 });

/** Hears one line after the other, as a program that knows nothing but version 5: for each the next entry of its script is said. */
const LISTENER = `
import fs from 'node:fs';
import { createInterface } from 'node:readline';
const says = JSON.parse(fs.readFileSync('script.json', 'utf8'));
const { COUNCIL_WIRE_ID, COUNCIL_TASK, COUNCIL_SESSION, COUNCIL_PROMPT } = process.env;
fs.appendFileSync('launches', COUNCIL_PROMPT + '\\n' + [COUNCIL_WIRE_ID, COUNCIL_TASK, COUNCIL_SESSION].join(' ') + '\\n' + fs.readFileSync(process.env.COUNCIL_PROMPT, 'utf8') + '\\n');
const lines = createInterface({ input: process.stdin });
let at = 0;
lines.on('line', (line) => {
  fs.appendFileSync('heard', line + '\\n');
  const say = says[at++];
  if (say === undefined) return;
  // In pieces, as a pipe may hand them on.
  [say].flat().forEach((part, index) =>
    setTimeout(() => (part === 'EXIT' ? process.exit(0) : process.stdout.write(part)), 40 * index),
  );
});
lines.on('close', () => fs.appendFileSync('heard', 'END\\n'));
`;

async function withListener(
  says: (string | string[])[],
  others: Record<string, ScriptedWorker> = {},
): Promise<Scripted & { heard(): string[] }> {
  const project = await withWorkers(others);
  project.write('listener.mjs', LISTENER);
  project.write('script.json', JSON.stringify(says));
  const council = "command: ['${NODE}', listener.mjs]\n  input: line\n  capabilities: [listen]";
  project.write('agents/ada.md', `---\nname: ada\ncouncil:\n  ${council}\n---\nYou are ada.\n`);
  const heard = (): string[] => {
    const file = `${project.root}/heard`;
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  };
  return { ...project, heard };
}
const run = ({ council }: Scripted, ...args: string[]) =>
  council<{ task: { state: string; result: string; attempts: number; error: unknown } }>([
    'task',
    'run',
    ...args,
    '--to',
    'ada',
    '--json',
  ]);

describe('a worker that hears lines', () => {
  it('is told its task in a line, and its stdin is closed once it has answered', async () => {
    const project = await withListener(['M2|W1>O1|S|T1|P1|D|-|0|S1|-|words=13\n']);
    const { json, stderr } = await run(project, 'count');
    expect(json.task, stderr).toMatchObject({ state: 'D', result: 'words=13', attempts: 1 });
    expect(project.heard()).toEqual(['M1|O1>W1|R|T1|P1|N|-|0|S1|-|count', 'END']);
    expect(await project.exchange('T1')).toEqual([
      'M1|O1>W1|R|T1|P1|N|-|0|S1|-|count',
      'M2|W1>O1|S|T1|P1|D|-|0|S1|-|words=13',
    ]);
    // All that it is told lies in a file as long as it works.
    const [path = '', ...prompt] = project.read('launches').toString().trimEnd().split('\n');
    expect(prompt).toContain('You are ada.');
    expect(prompt.at(-1)).toBe('count');
    expect(fs.existsSync(path)).toBe(false);
  });

  it('asks, and is answered while it works, whatever pieces its lines come in', async () => {
    const project = await withListener([
      [
        'I begin…\r\nM2|W1>O1|U|T1|P1|R|-|0|S1|-|progress=10%\nM3|W1>O1|C|T1|P1|R|-|0',
        '|S1|-|question=For',
        'mat?;options=json,md\r\n',
      ],
      [
        'M9|W1>O1|U|T1|P1|R|-|0|S1|-|progress=90%\nM9|broken|line\nM9|W1>O1|S|T1|P1|D|-|0|S1|-|format=md',
        'EXIT',
      ],
    ]);
    const running = project.launch(['task', 'run', 'write it', '--to', 'ada']);
    await poll(() => running.output()).toContain('asks: Format? (1 json, 2 md)');
    expect((await project.council(['task', 'list'])).stdout).toContain('asks: Format?');
    expect((await project.council(['task', 'answer', 'T1', '2'])).code).toBe(0);
    expect((await running.ended).code, running.output()).toBe(0);
    expect(project.heard()).toEqual([
      'M1|O1>W1|R|T1|P1|N|-|0|S1|-|write it',
      'M4|O1>W1|C|T1|P1|R|-|0|S1|-|answer=md',
    ]);
    expect(await project.exchange('T1')).toEqual([
      'M1|O1>W1|R|T1|P1|N|-|0|S1|-|write it',
      'M2|W1>O1|U|T1|P1|R|-|0|S1|-|progress=10%',
      'M3|W1>O1|C|T1|P1|R|-|0|S1|-|question=Format?;options=json,md',
      'M4|O1>W1|C|T1|P1|R|-|0|S1|-|answer=md',
      'M5|W1>O1|U|T1|P1|R|-|0|S1|-|progress=90%',
      'M6|W1>O1|S|T1|P1|D|-|0|S1|-|format=md',
    ]);
    expect(
      project
        .read('launches')
        .toString()
        .match(/You are ada/g),
    ).toHaveLength(1);
  });

  it('hands a part on, and goes on with what came back', async () => {
    const project = await withListener(
      [
        'M2|W1>W2|X|T1|P1|R|-|1|S1|B200|call=generate_tests\n',
        'M5|W1>O1|S|T1|P1|D|-|0|S1|B100|quality=good\n',
      ],
      { bob: { steps: [{ say: 'M4|W2>W1|S|T1|P1|D|-|1|S1|B150|tests=3' }] } },
    );
    const { json, stderr } = await run(project, 'analyze', '--budget', '500', '--concurrency', '1');
    expect(json.task, stderr).toMatchObject({ state: 'D', result: 'quality=good', attempts: 1 });
    expect(await project.exchange('T1')).toEqual([
      'M1|O1>W1|R|T1|P1|N|-|0|S1|B500|analyze',
      'M2|W1>W2|X|T1|P1|R|-|1|S1|B200|call=generate_tests',
      'M3|W1>O1|U|T1|P1|R|-|0|S1|B300|handoff=W2',
      'M4|W2>W1|S|T1|P1|D|-|1|S1|B150|tests=3',
      'M5|W1>O1|S|T1|P1|D|-|0|S1|B100|quality=good',
    ]);
    expect(project.heard()).toEqual([
      'M1|O1>W1|R|T1|P1|N|-|0|S1|B500|analyze',
      'M4|W2>W1|S|T1|P1|D|-|1|S1|B150|tests=3',
      'END',
    ]);
  });

  it('is refused what goes too deep, and ended', async () => {
    const project = await withListener(['M2|W1>O1|X|T1|P1|R|-|4|S1|-|call=dig\n']);
    const { json } = await run(project, 'dig');
    expect(json.task).toMatchObject({ state: 'F', attempts: 1 });
    expect(project.heard()).toEqual(['M1|O1>W1|R|T1|P1|N|-|0|S1|-|dig', 'END']);
  });

  it('is asked once more for what cannot be read', async () => {
    const bad = (kind: string, from = 'W1') => `M9|${from}>O1|${kind}|T1|P1|R|-|0|S1|-|x\n`;
    // What only tells how it goes on is no reason to ask.
    const project = await withListener([[bad('U', 'W9'), bad('S')], bad('Z')]);
    const { json } = await run(project, 'count');
    expect(json.task).toMatchObject({ state: 'F', error: { code: 'E14' }, attempts: 1 });
    expect(project.heard().map((line) => line.replace(/desc=.*/, 'desc=…'))).toEqual([
      'M1|O1>W1|R|T1|P1|N|-|0|S1|-|count',
      'M2|O1>W1|E|T1|P1|R|E15|0|S1|-|desc=…',
      'END',
    ]);
  });

  it.each([
    ['a failure in bold', ['**M2|W1>O1|E|T1|P1|F|E33|0|S1|-|desc=file not found**\n'], 'E33'],
    ['a failure in the short form', ['E E33 desc=file not found\n'], 'E33'],
    ['a failure without its last newline', ['M2|W1>O1|E|T1|P1|F|E33|0|S1|-|desc=file not found'], 'E33'],
    ['words, and then nothing', ['{"type":"S"}\n', '{"type":"S"}\n'], 'E10'],
  ])('that says %s is heard at once', async (_, says, code) => {
    const project = await withListener(says);
    const { json } = await run(project, 'count', '--timeout', '60s');
    expect(json.task).toMatchObject({ state: 'F', error: { code }, attempts: 1 });
  });

  it('is answered in the short form as well, and its environment says who it is', async () => {
    const project = await withListener(['C question=Format?;options=json,md\n', 'S format=json\n']);
    const running = project.launch(['task', 'run', 'write it', '--to', 'ada']);
    await poll(() => running.output()).toContain('asks: Format? (1 json, 2 md)');
    expect((await project.council(['task', 'answer', 'T1', '1'])).code).toBe(0);
    expect((await running.ended).code, running.output()).toBe(0);
    expect(await project.exchange('T1')).toEqual([
      'M1|O1>W1|R|T1|P1|N|-|0|S1|-|write it',
      'M2|W1>O1|C|T1|P1|R|-|0|S1|-|question=Format?;options=json,md',
      'M3|O1>W1|C|T1|P1|R|-|0|S1|-|answer=json',
      'M4|W1>O1|S|T1|P1|D|-|0|S1|-|format=json',
    ]);
    expect(project.read('launches').toString()).toContain('W1 T1 S1');
  });

  it('that leaves before it was answered gets the answer when it is launched again', async () => {
    const project = await withListener([
      ['M2|W1>O1|C|T1|P1|R|-|0|S1|-|question=Which?;options=a,b\n', 'EXIT'],
    ]);
    const running = project.launch(['task', 'run', 'choose', '--to', 'ada']);
    await poll(() => running.output()).toContain('asks: Which?');
    project.write('script.json', JSON.stringify(['M4|W1>O1|S|T1|P1|D|-|0|S1|-|took=b\n']));
    expect((await project.council(['task', 'answer', 'T1', 'b'])).code).toBe(0);
    expect((await running.ended).code, running.output()).toBe(0);
    expect(project.heard().slice(-2)).toEqual(['M3|O1>W1|C|T1|P1|R|-|0|S1|-|answer=b', 'END']);
  });

  it('that ends without a word after an answer has failed', async () => {
    const project = await withListener(['M2|W1>O1|C|T1|P1|R|-|0|S1|-|suggest=P2\n', ['EXIT']]);
    const { json } = await run(project, 'x');
    expect(json.task).toMatchObject({ state: 'F', error: { code: 'E99' } });
    expect(project.heard()).toEqual([
      'M1|O1>W1|R|T1|P1|N|-|0|S1|-|x',
      'M3|O1>W1|C|T1|P2|R|-|0|S1|-|answer=P2',
    ]);
  });
});
