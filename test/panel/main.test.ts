import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const program = fileURLToPath(new URL('../../src/panel/main.ts', import.meta.url));

async function run(
  args: string[],
  stdin: string,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const out: Record<'stdout' | 'stderr', string> = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (chunk: string) => (out[name] += chunk));
  // A program that refuses its arguments does not read what it is given.
  child.stdin.on('error', (error: NodeJS.ErrnoException) => expect(error.code).toBe('EPIPE'));
  child.stdin.end(stdin);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, ...out };
}

const view = (fields: Record<string, unknown>): string =>
  JSON.stringify({
    name: 'c',
    participant: 'precision',
    phase: 'COLLECT',
    tour: 1,
    deadline: '2026-01-01T00:00:00.000Z',
    brief: `# A\n\nIt is much faster.\n\n${'We met and talked. '.repeat(20)}\n`,
    prompt: '…',
    contributions: [],
    own: [],
    ...fields,
  });

describe('the program', () => {
  it('reads a view on stdin and prints its contribution', async () => {
    const { code, stdout, stderr } = await run(['precision'], view({}));
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('**Line 3** · worth checking · `claim` · "much faster"');
    expect(stdout).toContain('\n\n> It is much faster.\n');
  });

  it('prints the synthesis of the rapporteur', async () => {
    const { code, stdout } = await run(
      ['rapporteur'],
      view({
        phase: 'SYNTHESIZE',
        contributions: [{ label: 'A', phase: 'COLLECT', text: '**precision**: I found nothing.' }],
      }),
    );
    expect([code, stdout.split('\n')[3]?.split('.')[0]]).toEqual([0, '**Nothing to point at']);
  });

  it.each([
    [
      'no reviewer',
      [],
      view({}),
      /^Which reviewer shall speak\?\nName one of consistency, completeness, structure, precision, rapporteur/,
    ],
    ['an unknown reviewer', ['henry'], view({}), /^There is no reviewer "henry"\.\nName one of /],
    ['no JSON', ['precision'], 'hello', /^Cannot read the view: stdin is not JSON/],
    ['an empty stdin', ['precision'], '', /^Cannot read the view: stdin is not JSON/],
    ['no view', ['precision'], '[]', /stdin is not a JSON object/],
    [
      'no phase',
      ['precision'],
      view({ phase: 'LUNCH' }),
      /"phase" must be one of COLLECT, CHALLENGE, RESOLVE, SYNTHESIZE, not "LUNCH"/,
    ],
    ['no brief', ['precision'], view({ brief: 3 }), /"brief" must be a string, not 3/],
    [
      'a broken contribution',
      ['precision'],
      view({ contributions: [{ label: 'A', phase: 'COLLECT' }] }),
      /"contributions\[0\]\.text" must be a string, not missing/,
    ],
    [
      'the synthesis of a reviewer',
      ['precision'],
      view({ phase: 'SYNTHESIZE' }),
      /The reviewer precision writes no synthesis\.\nUse --coordinator rapporteur/,
    ],
    [
      'a respondent rapporteur',
      ['rapporteur'],
      view({}),
      /The rapporteur speaks in SYNTHESIZE only, and this is COLLECT/,
    ],
  ])('refuses %s, and says what to do', async (_name, args, stdin, message) => {
    const { code, stdout, stderr } = await run(args, stdin);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
  });
});
