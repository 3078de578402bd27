import { describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';

interface Registered {
  answers: string[];
  workers: { id: string; agent: string | null; status: string; version: string; lifecycle: string }[];
}

async function bench() {
  const project = await newProject();
  const register = (lines: string, ...more: string[]) =>
    project.council<Registered>(['agents', 'register', ...more], { input: lines });
  return { ...project, register };
}

const EXAMPLE = [
  'M1|W3>O1|J|T0|P1|N|-|0|S0|-|caps=web_search,web_fetch,summarize;desc=Web research agent;max_depth=2;version=V5',
  'M3|O1>O1|Q|T0|P1|-|-|0|S0|-|filter=W*;status=active',
];

describe('agents register', () => {
  it('answers the lines of the protocol’s example word for word', async () => {
    const { register, council } = await bench();
    // The two before have used up the numbers of their session: the example's begin with M1.
    await register(
      'M9995|W1>O1|J|T0|-|-|-|0|S9|-|caps=plan\r\n\r\nM9998|W2>O1|J|T0|-|-|-|0|S9|-|caps=plan\n',
    );
    const joined = await register(`${EXAMPLE.join('\n')}\n`);
    expect(joined.code).toBe(0);
    expect(joined.stdout).toBe(
      'M2|O1>W3|A|T0|P1|D|-|0|S0|-|registered;id=W3;status=active\n' +
        'M4|O1>O1|S|T0|P1|D|-|0|S0|-|agents=W1,W2,W3;count=3\n',
    );
    expect((await council(['agents'])).stdout).toContain('W3: web_search, web_fetch, summarize, active');
    expect((await council<{ workers: unknown[] }>(['agents', '--json'])).json.workers).toHaveLength(3);
  });

  it('tells a collision, knows who speaks, and writes version 4 to whom it joined with', async () => {
    const { register, council, write } = await bench();
    write('agents/scout.md', '---\nname: scout\ncouncil:\n  role: worker\n---\n');
    await register('M1|W1>O1|J|T0|-|-|-|0|S0|-|caps=plan;version=V4', '--as', 'scout');
    const { json } = await register('M1|W1>O1|J|T0|-|-|-|0|S0|-|caps=plan', '--json');
    expect(json.answers).toEqual([
      'M3|O1>W1|E|T0|-|-|E41|0|S0|-|desc=W1 is taken;id=W2',
      'M4|O1>W2|A|T0|-|-|-|0|S0|-|registered;id=W2',
    ]);
    expect(json.workers).toMatchObject([
      { id: 'W1', agent: 'scout', version: 'v4', lifecycle: 'permanent', status: 'active' },
      { id: 'W2', agent: null, lifecycle: 'temporary' },
    ]);
    expect((await register('M5|W1>O1|L|T0|-|-|-|0|S0|-|reason=done', '--as', 'scout')).stdout).toBe(
      'M6|O1>W1|A|T0|-|-|-|unregistered;id=W1\n',
    );
    expect((await council(['agents'])).stdout).toContain('W1 (scout): plan, gone');
  });

  it('changes nothing for a line that is none, an agent that nobody knows, or nothing at all', async () => {
    const { register, council } = await bench();
    const wrong = await register('hello\nM1|W1>O1|J');
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('E10 at segment 0')]);
    expect((await register(EXAMPLE[0]!, '--as', 'nobody')).code).toBe(2);
    expect((await register('')).stdout).toBe('');
    expect((await council<{ workers: unknown[] }>(['agents', '--json'])).json.workers).toEqual([]);
  });

  it('hears the other lines where one is bad, and answers that one', async () => {
    const { register } = await bench();
    const { code, stdout } = await register(`M1|W3>O1|J|T0|-|-|-|0|S0\n${EXAMPLE[0]!}`);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^M1\|O1>W3\|E\|-\|-\|-\|E10\|0\|-\|-\|seg=0;expected=11 .*\nM\d\|O1>W3\|A\|.*registered;id=W3/,
    );
  });

  it('gives each of many who join at once an id of its own', async () => {
    const { register, council } = await bench();
    await Promise.all(Array.from({ length: 8 }, () => register('M1|W1>O1|J|T0|-|-|-|0|S0|-|caps=plan')));
    const { workers } = (await council<Registered>(['agents', '--json'])).json;
    expect(workers.map(({ id }) => id)).toEqual(['W1', 'W2', 'W3', 'W4', 'W5', 'W6', 'W7', 'W8']);
  });
});
