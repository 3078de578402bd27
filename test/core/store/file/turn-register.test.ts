import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  mkdtempSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findOpenTurn, openTurnRegister } from '../../../../src/core/store/file/turn-register.ts';
import { identifyProcess, identifyThisProcess } from '../../../../src/core/store/local/liveness.ts';
import type { Work } from '../../../../src/core/store/local/turns.ts';

// A user that the system knows nothing of, as in many containers.
vi.mock('node:os', async (original) => ({
  ...(await original<object>()),
  homedir: () => {
    throw Object.assign(new Error('uv_os_homedir returned ENOENT'), { code: 'ENOENT' });
  },
}));

const WORK: Work = { kind: 'task', task: 'T1', session: 'S1', wire: 'W1' };

let folder: string;
let env: NodeJS.ProcessEnv;
const turns = () => join(folder, 'state', 'council', 'turns');
const register = () =>
  openTurnRegister({ env, projectRoot: join(folder, 'project') }, { now: () => 0, randomBytes });

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'turns-')));
  mkdirSync(join(folder, 'project'));
  env = { XDG_STATE_HOME: join(folder, 'state') };
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the register of turns', () => {
  it('keeps no secret, and nothing once the turn has ended', () => {
    const turn = register().begin({ agent: 'ada', work: WORK });
    const [name = ''] = readdirSync(turns());
    expect(name).toBe(`${turn.id}.json`);
    const path = join(turns(), name);
    expect(readFileSync(path, 'utf8')).not.toContain(turn.secret);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(findOpenTurn({ ...env, COUNCIL_TURN: turn.secret }, [])).toMatchObject({
      agent: 'ada',
      work: WORK,
      root: join(folder, 'project'),
      startedAt: '1970-01-01T00:00:00.000Z',
    });
    turn.end();
    expect(readdirSync(turns())).toEqual([]);
    expect(findOpenTurn({ ...env, COUNCIL_TURN: turn.secret }, [])).toBeUndefined();
  });

  it('knows a turn by the nearest launched program, whatever the variables say', () => {
    const outer = register().begin({ agent: 'outer', work: WORK });
    const inner = register().begin({ agent: 'inner', work: WORK });
    const { host, bootId } = identifyThisProcess();
    // The leaders have ended; their sessions go on.
    outer.setGroup({ host, bootId, pid: 4_000_001, startTime: '' });
    inner.setGroup({ host, bootId, pid: 4_000_002, startTime: '' });
    const below = [
      { pid: 9, parent: 8, session: 4_000_002, env: {} },
      { pid: 8, parent: 7, session: 4_000_001, env: {} },
    ];
    expect(findOpenTurn({ ...env, COUNCIL_TURN: outer.secret }, below)?.agent).toBe('inner');
    expect(findOpenTurn(env, below.slice(1))?.agent).toBe('outer');
    expect(findOpenTurn(env, [])).toBeUndefined();
  });

  it('asks no folder of an ancestor that shows no variables, where the user has no home', () => {
    const turn = register().begin({ agent: 'ada', work: WORK });
    const ancestors = [{ pid: 9, parent: 8, session: 9, env: {} }];
    expect(findOpenTurn(env, ancestors)).toBeUndefined();
    expect(findOpenTurn({ ...env, COUNCIL_TURN: turn.secret }, ancestors)?.agent).toBe('ada');
    expect(findOpenTurn({}, [])).toBeUndefined();
  });

  it('is found by what an ancestor began with, where a program has moved its own state folder', () => {
    const turn = register().begin({ agent: 'ada', work: WORK });
    const moved = { XDG_STATE_HOME: join(folder, 'elsewhere') };
    const began = { ...env, COUNCIL_TURN: turn.secret };
    expect(findOpenTurn(moved, [{ pid: 9, parent: 8, session: 8, env: began }])?.agent).toBe('ada');
  });

  it('forgets turns whose council and program are gone, and passes over damaged files', async () => {
    const gone = spawn(process.execPath, ['-e', '']);
    const identity = identifyProcess(gone.pid!);
    await new Promise((resolve) => gone.once('exit', resolve));
    const turn = register().begin({ agent: 'ada', work: WORK });
    const path = join(turns(), `${turn.id}.json`);
    const kept = JSON.parse(readFileSync(path, 'utf8')) as object;
    writeFileSync(path, JSON.stringify({ ...kept, owner: identity, group: identity }));
    writeFileSync(join(turns(), `${'0'.repeat(64)}.json`), '{"agent":');
    expect(findOpenTurn({ ...env, COUNCIL_TURN: turn.secret }, [])).toBeUndefined();
    register().begin({ agent: 'ben', work: WORK }).end();
    expect(readdirSync(turns())).toEqual([`${'0'.repeat(64)}.json`]);
  });
});
