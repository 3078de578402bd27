import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Runner } from '../../src/core/agents/runners/turn-types.ts';
import { harness, isRunning } from './runner-harness.ts';
import { PROGRAMS } from './runner-programs.ts';

/**
 * The promises of a runner, checked with real processes. `runner` makes the runner under test, `programs` do what
 * PROGRAMS do for a runner that talks a protocol with them; what only plain pipes can promise is not tested then.
 */
export function runnerContract(name: string, runner: () => Runner, programs = PROGRAMS): void {
  const plain = programs === PROGRAMS;
  describe(`${name} keeps the runner's contract`, () => {
    const { folder, agent, speak, strays } = harness(runner, programs);

    it('gives the prompt on stdin and takes the answer from stdout', async () => {
      const result = await speak(agent('answers'), { input: 'héllo 🦉' });
      expect(result).toMatchObject({
        ok: true,
        exitCode: 0,
        signal: null,
        timedOut: false,
        cancelled: false,
        truncated: false,
      });
      expect(result).toMatchObject({ reason: null, stderrTail: '' });
      expect(result.output.toString()).toBe('heard héllo 🦉\n');
      expect(result.durationMs).toBeGreaterThan(0);
    });

    it('passes 300 KB through byte for byte', async () => {
      const input = 'é🦉\r\n\u0085x'.repeat(30_000);
      const seen: number[] = [];
      const result = await speak(agent('echoes'), { input, onOutput: (bytes) => seen.push(bytes) });
      expect(result.ok).toBe(true);
      expect(result.output.equals(Buffer.from(input))).toBe(true);
      expect(seen.at(-1)).toBe(result.output.length);
    });

    it.runIf(plain)('lets a program ignore a prompt of 300 KB', async () => {
      const result = await speak(agent('deaf'), { input: 'x'.repeat(300_000) });
      expect(result).toMatchObject({ ok: true, reason: null });
      expect(result.output.toString()).toBe('I never listen\n');
    });

    it.runIf(plain)('tells the group before it writes the prompt', async () => {
      const started = Promise.withResolvers<void>();
      const events: string[] = [];
      const result = await speak(agent('announces'), {
        onSpawn: async (pid) => {
          expect(isRunning(-pid)).toBe(true);
          await started.promise;
          // Long enough for a prompt that was written too early to come back.
          await delay(150);
          events.push('recorded');
        },
        onOutput: (bytes) => {
          started.resolve();
          events.push(String(bytes));
        },
      });
      expect(result.output.toString()).toBe('start.prompted');
      expect(events).toEqual(['6', 'recorded', '14']);
    });

    it('ends the program when its group cannot be recorded, and throws that', async () => {
      const refused = speak(agent('hangs'), { onSpawn: () => Promise.reject(new Error('stale lease')) });
      await expect(refused).rejects.toThrow('stale lease');
    });

    it('ends a program that hangs', async () => {
      const result = await speak(agent('hangs', { timeout: 1000 }));
      expect(result).toMatchObject({
        ok: false,
        timedOut: true,
        cancelled: false,
        signal: 'SIGTERM',
        exitCode: null,
      });
      expect(result.reason).toBe('no answer within 1s');
      expect(result.durationMs).toBeGreaterThanOrEqual(990);
      expect(result.durationMs).toBeLessThan(10_000);
    });

    it('kills a program that ignores SIGTERM', async () => {
      const abort = new AbortController();
      const result = await speak(agent('stubborn'), { signal: abort.signal, onOutput: () => abort.abort() });
      expect(result).toMatchObject({ ok: false, cancelled: true, signal: 'SIGKILL', reason: 'cancelled' });
    });

    it('ends a program when aborted, while its group is being recorded as well', async () => {
      const abort = new AbortController();
      const result = await speak(agent('hangs'), {
        signal: abort.signal,
        onSpawn: async () => abort.abort(),
      });
      expect(result).toMatchObject({ ok: false, cancelled: true, timedOut: false, signal: 'SIGTERM' });
    });

    it('launches nothing when it is aborted already', async () => {
      const result = await speak(agent('answers'), {
        signal: AbortSignal.abort(),
        onSpawn: () => Promise.reject(new Error('launched')),
      });
      expect(result).toMatchObject({ ok: false, cancelled: true, exitCode: null, output: Buffer.alloc(0) });
    });

    it('does not wait for what a program leaves behind, and ends it', async () => {
      const result = await speak(agent('parent'));
      expect(result).toMatchObject({ ok: true, exitCode: 0, signal: null, reason: null });
      expect(result.output.toString()).toBe('done');
      expect(result.durationMs).toBeLessThan(10_000);
    });

    it('does not wait for a process that left the group and holds the pipe', async () => {
      const result = await speak(agent('runaway'));
      const stray = Number(result.output.toString());
      strays.push(stray);
      expect(isRunning(stray)).toBe(true);
      expect(result.ok).toBe(true);
    });

    it('gives exit code and last line of stderr, without escapes and secrets', async () => {
      const result = await speak(agent('fails', { env: ['DECLARED'] }), {
        env: { ...process.env, DECLARED: 'hunter2!' },
      });
      expect(result).toMatchObject({ ok: false, exitCode: 1, signal: null });
      expect(result.reason).toBe('exit code 1: quota exceeded for [redacted] and [redacted]');
      expect(result.stderrTail).toContain('starting\nquota exceeded');
      expect(result.stderrTail).not.toContain('hunter2!');
    });

    it('finds the message of a Node program that crashes, and at most 2 KB of stderr', async () => {
      const crashed = await speak(agent('crashes'));
      expect(crashed.reason).toBe('exit code 1: RangeError: out of ideas');
      const long = await speak({
        ...agent('deaf'),
        command: [process.execPath, '-e', `console.error('é'.repeat(100000))`],
      });
      expect(Buffer.byteLength(long.stderrTail)).toBeLessThanOrEqual(2048);
      expect(long.stderrTail).toMatch(/^é+\n$/);
    });

    it('names the signal that ended a program', async () => {
      expect(await speak(agent('kills'))).toMatchObject({
        ok: false,
        exitCode: null,
        signal: 'SIGKILL',
        reason: 'ended by SIGKILL',
      });
    });

    it('takes white space for no answer', async () => {
      expect(await speak(agent('silent'))).toMatchObject({
        ok: false,
        exitCode: 0,
        reason: 'printed nothing: nothing to say',
      });
    });

    it('ends a flood of 1 GB, and keeps 1 MiB or any other limit', async () => {
      const flood = await speak(agent('floods'));
      expect(flood).toMatchObject({ ok: false, truncated: true, timedOut: false, failure: 'failed' });
      expect(flood.reason).toMatch(/^output exceeds \d+ MiB$/);
      expect(flood.output.length).toBe(1024 * 1024);
      const exact = await speak(agent('echoes'), { input: 'x'.repeat(1000), maxOutput: 1000 });
      expect(exact).toMatchObject({ ok: true, truncated: false });
      const over = await speak(agent('echoes'), { input: 'x'.repeat(1001), maxOutput: 1000 });
      expect(over).toMatchObject({ ok: false, truncated: true, reason: 'output exceeds 1000 bytes' });
    });

    it.runIf(plain)('ends a program that says nothing for too long, on stdout or on stderr', async () => {
      const [quiet, steady] = await Promise.all([
        speak(agent('hangs', { inactivity: 1000, timeout: 180_000 })),
        speak(agent('ticks', { inactivity: 4000 })),
      ]);
      expect(quiet).toMatchObject({ ok: false, timedOut: true, failure: 'timeout', signal: 'SIGTERM' });
      expect(quiet.reason).toBe('printed nothing for 1s');
      expect(steady.ok).toBe(true);
    });

    it.runIf(plain)('says what kind of failure it was, for the decision to try again', async () => {
      expect(await speak(agent('later'))).toMatchObject({
        failure: 'rate-limit',
        reason: 'exit code 75: come back tomorrow',
        retryAfterMs: null,
      });
      expect(await speak(agent('complains'))).toMatchObject({
        failure: 'failed',
        reason: 'exit code 1: {"error":{"code":500,"message":"quota exceeded"}}',
      });
      expect(await speak(agent('silent'))).toMatchObject({ failure: 'failed' });
      expect(await speak(agent('hangs', { timeout: 500 }))).toMatchObject({ failure: 'timeout' });
      expect(await speak(agent('answers', { command: ['no-such'] }))).toMatchObject({ failure: 'config' });
      expect(await speak(agent('answers'), { signal: AbortSignal.abort() })).toMatchObject({
        failure: 'cancelled',
      });
      expect(await speak(agent('answers'))).toMatchObject({ ok: true, failure: null });
    });

    it.runIf(plain)('gives a program no terminal to write to', async () => {
      expect((await speak(agent('terminal'))).output.toString()).toBe('ENXIO own session\n');
    });

    it.runIf(plain)('leaves bytes that are no text as they are', async () => {
      const result = await speak(agent('binary'));
      expect(result.ok).toBe(true);
      expect([...result.output]).toEqual([0xff, 0xfe, 0x00, 0x41]);
    });

    it('passes the allowlist, the declared names and its own variables, nothing else', async () => {
      const env = {
        PATH: process.env.PATH,
        LC_ALL: 'C',
        XDG_CONFIG_HOME: '/c',
        XDG_STATE_HOME: '/sealed',
        SENTINEL: 'leak',
        COUNCIL_ROOT: '/x',
        DECLARED: 'yes',
      };
      const result = await speak(agent('environment', { env: ['DECLARED', 'UNSET'] }), {
        env,
        extraEnv: { COUNCIL_NAME: 'x' },
      });
      expect(JSON.parse(result.output.toString())).toEqual({
        PATH: process.env.PATH,
        LC_ALL: 'C',
        XDG_CONFIG_HOME: '/c',
        XDG_STATE_HOME: '/sealed',
        DECLARED: 'yes',
        COUNCIL_NAME: 'x',
      });
    });

    it('hands arguments over as they are, but for its two placeholders', async () => {
      const odd = ['$HOME', '*', 'a b', '"; rm -rf x', '${HOME}', ''];
      const command = ['${NODE}', join(folder, 'arguments.mjs'), ...odd, '${COUNCIL_HOME}/dist'];
      const said = JSON.parse((await speak(agent('arguments', { command }))).output.toString());
      expect(said).toEqual([...odd, `${join(import.meta.dirname, '..', '..')}/dist`]);
    });

    it('runs in the folder asked for', async () => {
      const result = await speak({ ...agent('place'), command: [process.execPath, 'place.mjs'] });
      expect(result.output.toString()).toBe(`${folder}\n`);
    });

    it.each([
      ['is not on PATH', ['no-such'], {}, '"no-such" was not found on PATH'],
      ['is not where it should be', ['./gone.sh'], {}, '"./gone.sh" was not found in FOLDER'],
      ['may not be executed', ['./answers.mjs'], {}, '"./answers.mjs" cannot be started: EACCES'],
      [
        'has no interpreter',
        ['./orphan'],
        {},
        '"./orphan" cannot be started: the program its first line names is missing',
      ],
      ['has no folder', ['sh'], { cwd: '/no/such' }, '"sh" cannot be started: there is no folder /no/such'],
      ['has too long arguments', ['sh', 'x'.repeat(300_000)], {}, '"sh" cannot be started: E2BIG'],
    ])('says why it cannot start a program that %s', async (_, command, more, reason) => {
      const result = await speak(agent('answers', { command }), {
        ...more,
        env: { PATH: '/usr/bin:/bin' },
        onSpawn: () => Promise.reject(new Error('launched')),
      });
      expect(result).toMatchObject({ ok: false, exitCode: null, signal: null, timedOut: false });
      expect(result.reason).toBe(reason.replace('FOLDER', folder));
    });
  });
}
