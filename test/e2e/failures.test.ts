import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject, runs, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { passDeadline } from '../helpers/deadline.ts';
import type { Failed, Ran, Status, Ticked } from '../helpers/documents.ts';
import { exported } from '../helpers/look.ts';
import { addAgent, addSpeaker, launches, setScript } from '../helpers/speakers.ts';
import { must, seated } from '../helpers/scenarios.ts';
import { pathWith } from '../helpers/programs.ts';
import { hash } from '../helpers/texts.ts';
import { failing, model, saidIn, theArchive } from '../helpers/tries.ts';
import { openTurn } from '../helpers/in-turn.ts';

describe.concurrent('an agent that does not do what it should', () => {
  it('tries a failing agent three times, marks it absent with the reason, and exits with 0', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada', { COLLECT: { say: 'fine' } });
    addSpeaker(project, 'crash', { COLLECT: { stderr: 'Error: no quota left', exit: 3 } });
    addSpeaker(project, 'mute', { COLLECT: {} });
    addSpeaker(project, 'slow', { COLLECT: { hang: true } }, { timeout: '300ms' });
    addSpeaker(project, 'again', { COLLECT: [{ exit: 1 }, { say: 'second attempt' }] });
    addAgent(project, 'ghost', { runner: 'command', command: ['no-such-program-anywhere'] });
    await project.council([
      'start',
      'Who can?',
      '--mode',
      'synthesis',
      '--agents',
      'ada,crash,mute,slow,again,ghost',
    ]);
    const { code, json, stderr } = await project.council<Ticked>(['tick', '--json']);
    expect(code).toBe(0);
    const [council] = json.councils;
    expect(council!.launched.toSorted()).toEqual(['ada', 'again', 'crash', 'ghost', 'mute', 'slow']);
    const reasons = Object.fromEntries(council!.failed.map((f) => [f.id, f.reason]));
    expect(Object.keys(reasons).sort()).toEqual(['crash', 'ghost', 'mute', 'slow']);
    // COLLECT is blind: what the program printed is told when it has closed.
    expect(reasons.crash).toBe('exit code 3');
    expect(reasons.mute).toBe('printed nothing');
    expect(reasons.slow).toBe('no answer in time');
    expect(reasons.ghost).toMatch(/no-such-program-anywhere/);
    expect(stderr).toBe('');
    const count = (id: string) => launches(project).filter((l) => l.id === id).length;
    // (Not of the slow one: it may be ended before it could note its launch.)
    expect(['ada', 'crash', 'mute', 'again'].map(count)).toEqual([1, 3, 3, 2]);
    expect(launches(project).filter((l) => runs(l.pid))).toEqual([]);
    const { participants } = (await project.council<Status>(['status', '--json'])).json.councils[0]!;
    expect(participants.crash).toMatchObject({
      status: 'WAITING',
      attempts: 3,
      lease: null,
      absent: `failed: ${reasons.crash}`,
    });
    // A program that hangs is asked once more, not twice.
    expect(participants.slow!.attempts).toBe(2);
    const done = await project.council<Ticked>(['tick', '--until-idle', '--json']);
    const archive = await exported(project, done.json.councils[0]!.archive!);
    expect(archive.absences.map((a) => a.participant).sort()).toEqual(['crash', 'ghost', 'mute', 'slow']);
    const told = Object.fromEntries(archive.absences.map((a) => [a.participant, a.reason]));
    expect(told.crash).toMatch(/^failed: exit code 3.*no quota left$/);
    expect(told.slow).toMatch(/^failed: no answer within 300ms/);
    expect(archive.contributions.map((c) => c.text)).toEqual(['fine', 'second attempt']);
    expect(archive.synthesis.text).toContain('2 of 6');
  });

  it('says at once why a known failure happened, in its own words while COLLECT is blind', async () => {
    const project = await newProject();
    const words = 'about the BLUE WHALE of the prompt';
    const events = [
      { type: 'turn.failed', error: { message: `unexpected status 401 Unauthorized: ${words}` } },
    ];
    const path = `${pathWith(project, {
      codex: `while read -r line; do :; done; echo '${JSON.stringify(events[0])}'; echo 'WARNING: no aliases' >&2; exit 1`,
      opencode: `while read -r line; do :; done; echo 'level=ERROR message="share failed"' >&2; echo 'Please log in: ${words}'; exec /bin/sleep 60`,
    })}`;
    addAgent(project, 'codex', { runner: 'codex' });
    addAgent(project, 'gone', { runner: 'gemini' });
    addAgent(project, 'slow', { runner: 'opencode', timeout: '2s' });
    addSpeaker(project, 'limited', { any: { stderr: `429 Too Many Requests ${words}`, exit: 1 } });
    addAgent(project, 'ana');
    const env = { PATH: path };
    await project.council(['start', 'Who?', '--mode', 'synthesis'], { env });
    const tick = await project.council(['tick'], { env });
    const status = await project.council(['status'], { env });
    const state = project.read('memory/shared/council-active-conversation.md').toString();
    for (const text of [tick.stdout, tick.stderr, status.stdout, state]) {
      expect(text).not.toContain('WHALE');
      expect(text).not.toContain('aliases');
    }
    const told = {
      codex: 'its key or login is not accepted (HTTP 401)',
      gone: 'the program "gemini" cannot be launched: it is not on PATH; install it: npm install -g @google/gemini-cli',
      slow: 'not logged in (no answer within 2s); log in with: opencode auth login',
      limited: 'rate limit (exit code 1)',
    };
    for (const [id, line] of Object.entries(told)) {
      expect(tick.stderr).toContain(`${id} failed${id === 'limited' ? ' again (attempt 3)' : ''}: ${line}`);
      expect(status.stdout).toContain(`absent: ${line}`);
      expect(tick.stderr.split(`asking ${id}`)).toHaveLength(id === 'limited' ? 4 : 2);
    }
    // Once the phase has closed, the program's own words follow.
    await project.council(['respond', 'ana'], { input: 'Me.', env });
    await project.council(['tick', '--no-launch'], { env });
    const { stdout } = await project.council(['status'], { env });
    expect(stdout).toContain(`It said: unexpected status 401 Unauthorized: ${words}`);
    // The same table speaks where nobody is playing.
    const probe = await project.council(['doctor', '--probe'], { env });
    expect(probe.stdout).toMatch(
      /codex did not answer \(.*\): its key or login is not accepted \(HTTP 401\)/,
    );
    expect(probe.stdout).toContain(
      '-> mend the variable that holds its API key, or log in with: codex login',
    );
    const check = await project.council(['agents', 'check', 'gone'], { env });
    expect(check.stdout).toContain(
      'The program "gemini" cannot be launched: it is not on PATH. Install it: npm',
    );
  });

  it('keeps nobody waiting in the next council while it is paused, and is asked at once after `council retry`', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada', { COLLECT: { say: 'fine' } });
    addSpeaker(project, 'ben', { COLLECT: { exit: 1 } });
    const ask = async (topic: string) => (await project.council(['ask', topic, '--quiet'])).stdout;
    expect(await ask('Can they?')).toContain('Not heard: ben (failed: exit code 1');
    setScript(project, 'ben', { COLLECT: { say: 'fine as well' } });
    const left = await ask('And now?');
    expect(left).toContain('ada:\nfine');
    expect(left).toContain('Not heard: ben (failed: paused: 3 launches failed in a row: exit code 1;');
    const { stdout } = await project.council(['retry', 'ben']);
    expect(stdout).toBe('What is known of ben is forgotten. The next council asks it at once.\n');
    expect(await ask('At last?')).toContain('ben:\nfine as well');
  });

  it('is launched again by `council retry`, which says so only where something has failed', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada', { COLLECT: [{ exit: 1, stderr: 'not logged in' }, { say: 'fine' }] });
    addAgent(project, 'ana');
    await must(project, ['start', 'Who can?', '--mode', 'synthesis']);
    await must(project, ['tick']);
    const retry = async () => (await project.council(['retry', 'ada'])).stdout;
    const launch = 'It is launched in COLLECT by: council tick --name active-conversation\n';
    expect(await retry()).toBe(`What is known of ada is forgotten. ${launch}`);
    expect(await retry()).toBe(`No launch of ada has failed since: nothing was changed. ${launch}`);
    await must(project, ['tick']);
    expect(await retry()).toBe(
      'No launch of ada has failed since: nothing was changed. It is launched when "active-conversation" next waits for it.\n',
    );
  });

  it('makes the archive all the same when the coordinator fails, and says so', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada');
    addSpeaker(project, 'maman', { SYNTHESIZE: { stderr: 'model is down', exit: 9 } });
    const { code, json } = await project.council<Ran>([
      'run',
      'Go?',
      '--mode',
      'synthesis',
      '--coordinator',
      'maman',
      '--json',
    ]);
    expect({ code, status: json.status, by: json.by }).toEqual({ code: 0, status: 'COMPLETED', by: null });
    expect(json.synthesis).toMatch(/maman.*model is down/);
    expect((await exported(project, json.archive)).absences).toMatchObject([
      { participant: 'maman', phase: 'SYNTHESIZE', reason: 'failed: exit code 9: model is down' },
    ]);
    expect(launches(project).filter((l) => l.id === 'maman')).toHaveLength(3);
  });

  it('makes the archive all the same when the coordinator lets the time pass', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada');
    addAgent(project, 'maman');
    const { json } = await project.council<Ran>([
      'run',
      'Go?',
      '--mode',
      'synthesis',
      '--coordinator',
      'maman',
      '--timeout',
      '4s',
      '--json',
    ]);
    expect(json).toMatchObject({ status: 'COMPLETED', by: null });
    expect(json.synthesis).toContain('did not respond in time');
    expect((await exported(project, json.archive)).absences).toMatchObject([
      { participant: 'maman', phase: 'SYNTHESIZE', reason: 'timeout' },
    ]);
  });

  it('ends with its phase, however long it might take by itself', async () => {
    const project = await newProject();
    addSpeaker(project, 'slow', { any: { hang: true } });
    addSpeaker(project, 'quick');
    const { code, json } = await project.council<{ status: string; archive: string }>([
      'run',
      'How long?',
      '--mode',
      'synthesis',
      '--timeout',
      '2s',
      '--json',
    ]);
    expect({ code, status: json.status }).toEqual({ code: 124, status: 'TIMEOUT' });
    expect((await exported(project, json.archive)).absences).toMatchObject([
      { participant: 'slow', phase: 'COLLECT', reason: 'timeout' },
    ]);
    expect(launches(project).filter(({ id }) => id === 'slow')).toHaveLength(1);
  });

  it('cannot set back or end the council it sits at', async () => {
    const project = await newProject();
    addAgent(project, 'ana');
    await project.council(['start', 'Mine?']);
    const turn = openTurn(project, 'ana');
    for (const command of [
      ['restore', '1'],
      ['cancel', '--why', 'x'],
      ['excuse', 'ana', '--why', 'x'],
      ['extend', '1h'],
      ['adopt'],
    ]) {
      const { code, json } = await project.council<Failed>([...command, '--json'], { env: turn });
      expect({ code, error: json.error.code }).toEqual({ code: 1, error: 'forbidden' });
    }
    // Nor another one.
    await project.council(['start', 'Other?', '--name', 'other']);
    expect((await project.council(['cancel', '--name', 'other', '--why', 'x'], { env: turn })).code).toBe(1);
  });

  it('takes what an agent sends with `council respond` itself', async () => {
    const project = await newProject();
    const text = 'I sent this myself.\r\n';
    addSpeaker(project, 'silent', { COLLECT: { respond: text } });
    addSpeaker(project, 'echo', { COLLECT: { respond: text, say: text } });
    addSpeaker(project, 'chatty', { COLLECT: { respond: text, say: 'Done! I have responded.' } });
    await project.council(['start', 'How?', '--mode', 'synthesis']);
    const { code, json } = await project.council<Ticked>(['tick', '--json']);
    expect({ code, failed: json.councils[0]!.failed }).toEqual({ code: 0, failed: [] });
    expect(launches(project)).toHaveLength(3);
    const done = await project.council<Ticked>(['tick', '--until-idle', '--json']);
    const archive = await exported(project, done.json.councils[0]!.archive!);
    expect(archive.contributions.map((c) => [c.participant, c.sha256])).toEqual(
      ['chatty', 'echo', 'silent'].map((id) => [id, hash(text)]),
    );
    expect(archive.late).toMatchObject([{ sha256: hash('Done! I have responded.') }]);
    expect(archive.absences).toEqual([]);
  });

  it('asks a table that cannot answer once, says so, and ends with 1', async () => {
    const project = await newProject();
    for (const id of ['ada', 'bob'])
      addSpeaker(project, id, { any: { stderr: 'Please log in first', exit: 1 } });
    const { code, stdout } = await project.council(['run', 'Why?', '--mode', 'debate', '--trust']);
    expect({ code, stdout }).toMatchObject({ code: 1 });
    expect(stdout).toContain('Nobody at this table has answered.');
    expect(stdout.match(/not logged in/g), stdout).toHaveLength(1);
    expect(stdout).not.toMatch(/### Absences|In the texts|format adr/);
    expect(launches(project)).toHaveLength(2);
  });

  it('ends where too few can speak for a decision, played by a person or by a heartbeat', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada', { any: { say: 'position: Yes\n\nfine' } });
    for (const id of ['bob', 'cyd'])
      addSpeaker(project, id, { any: { stderr: 'Please log in first', exit: 1 } });
    const { code, stdout } = await project.council(['run', 'Why?', '--mode', 'debate', '--trust']);
    expect({ code, stdout }).toMatchObject({ code: 1 });
    expect(stdout).toContain('1 of 3 answered; the quorum is 2.');
    expect(stdout).toContain('--agents ada');
    expect(launches(project)).toHaveLength(3);
    await must(project, ['start', 'Why not?', '--mode', 'debate']);
    const { json } = await project.council<Ticked>(['tick', '--until-idle', '--json']);
    expect(json.councils[0]!.transitions).toMatchObject([
      { from: 'COLLECT', to: 'SYNTHESIZE', reason: 'no_quorum' },
      { from: 'SYNTHESIZE', to: 'ARCHIVED', reason: 'no_quorum' },
    ]);
    expect(launches(project)).toHaveLength(6);
    const archived = await project.council<Ran>(['run', 'Again?', '--mode', 'debate', '--json']);
    expect(archived).toMatchObject({ code: 1, json: { noQuorum: true } });
  });

  it('keeps what a program says after its phase, and lists it in the archive', async () => {
    const project = await newProject();
    const release = join(project.outside, 'release');
    addSpeaker(project, 'ada', {
      COLLECT: { whenThere: release, say: 'too late\r\n' },
      any: { say: 'in time' },
    });
    addAgent(project, 'ana');
    await project.council(['start', 'Late?']);
    // Somebody has been heard, so that there is something to challenge.
    await project.council(['respond', 'ana'], { input: 'In time.' });
    const first = project.launch(['tick']);
    await until('ada is at work', () => launches(project).length === 1);
    await passDeadline(project);
    const second = await project.council<Ticked>(['tick', '--json']);
    expect(second.json.councils[0]).toMatchObject({
      from: 'COLLECT',
      to: 'CHALLENGE',
      reason: 'timeout',
      launched: ['ada'],
    });
    writeFileSync(release, '');
    const { code, stderr } = await first.ended;
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringMatching(/\.late/) as string });
    const { json } = await project.council<{ archive: string }>(['cancel', '--why', 'enough', '--json']);
    const archive = await exported(project, json.archive);
    expect(archive.contributions.map((c) => `${c.participant} ${c.phase} ${c.text}`)).toEqual([
      'ana COLLECT In time.',
      'ada CHALLENGE in time',
    ]);
    expect(archive.late).toMatchObject([
      { name: expect.stringMatching(/^ada-COLLECT-1-/) as string, sha256: hash('too late\r\n') },
    ]);
    expect(project.read(archive.late[0]!.path).toString()).toBe('too late\r\n');
    expect(archive.absences.map((a) => `${a.participant} ${a.phase} ${a.reason}`)).toEqual([
      'ada COLLECT timeout',
      'ana CHALLENGE cancelled',
    ]);
  });
});

describe.concurrent('a disk that is full while the archive is made', () => {
  it.each([
    ['tick', 'project', ['tick', '--json']],
    ['tick', 'state', ['tick', '--json']],
    ['cancel', 'project', ['cancel', '--why', 'enough', '--json']],
    ['cancel', 'state', ['cancel', '--why', 'enough', '--json']],
  ] as const)(
    'fault 7: `%s` says how the council stands and what finishes it: %s',
    async (what, part, args) => {
      const fresh = await model(async (project) => {
        await seated(project, ['ann', 'bob'], { ann: 'first', bob: 'second' });
        if (what === 'tick') await must(project, ['tick']);
      });
      const settings = (project: Project) => ({
        FAIL_KINDS: 'write',
        FAIL_UNDER: join(dirname(project.root), part),
      });
      let told = 0;
      for (let n = 1, code: number | null = 1; code !== 0; n++) {
        const project = fresh();
        const env = failing(project, { FAIL_AT: String(n), FAIL_WITH: 'ENOSPC', ...settings(project) });
        const run = await project.council([...args], { env });
        code = run.stdout.includes('ENOSPC') ? 1 : 0;
        if (!run.stdout.includes('is closing')) continue;
        told++;
        expect(run.code).toBe(1);
        expect(run.stdout).toContain('ENOSPC');
        expect(run.stdout).toContain(
          'Free some space, then finish it with: council tick --name active-conversation',
        );
        await must(project, ['tick']);
        expect(saidIn(theArchive(project))).toEqual({ ann: 'first', bob: 'second' });
      }
      expect(told).toBeGreaterThan(0);
    },
  );
});
