// Two machines at one council, in a folder that a program syncs: what was acknowledged on either is never hidden.
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import type { Project, Run } from '../helpers/cli.ts';
import type { Status } from '../helpers/documents.ts';
import { addAgent } from '../helpers/speakers.ts';

const CONFLICT = 'sync-conflict-20261126-201500-ABCDEFG';
const PEOPLE = ['ana', 'ben', 'cara'];

interface Machine {
  root: string;
  council<T = unknown>(...args: string[]): Promise<Run<T>>;
  respond(who: string, text: string): Promise<void>;
}

const machine = (project: Project, root: string, state: string): Machine => {
  const env = { XDG_STATE_HOME: join(project.outside, state) };
  const council = <T>(...args: string[]) => project.council<T>(args, { cwd: root, env });
  return {
    root,
    council,
    async respond(who, text) {
      const done = await project.council(['respond', who], { cwd: root, env, input: text });
      expect(done.code, done.stderr).toBe(0);
    },
  };
};

/** A council of three people and a coordinator in that phase, and the same folder on another machine. */
async function twoMachines(phase: string): Promise<{ here: Machine; there: Machine }> {
  const project = await newProject();
  for (const id of [...PEOPLE, 'zoe']) addAgent(project, id);
  const here = machine(project, project.root, 'state-here');
  await here.council('start', 'Which queue?', '--agents', PEOPLE.join(), '--coordinator', 'zoe');
  const phases = ['COLLECT', 'CHALLENGE', 'RESOLVE', 'SYNTHESIZE'];
  for (const before of phases.slice(0, phases.indexOf(phase))) {
    for (const id of PEOPLE) await here.respond(id, `position: ${id} one\n${id} in ${before}`);
    await here.council('tick');
  }
  const root = `${project.root}-there`;
  fs.cpSync(project.root, root, { recursive: true, preserveTimestamps: true });
  fs.mkdirSync(join(project.outside, 'state-here'), { recursive: true });
  fs.cpSync(join(project.outside, 'state-here'), join(project.outside, 'state-there'), { recursive: true });
  return { here, there: machine(project, root, 'state-there') };
}

/** Every file below a folder, by its path there. */
const filesOf = (root: string): Map<string, string> =>
  new Map(
    ['memory', 'conseils', 'agents'].flatMap((part) =>
      fs
        .readdirSync(join(root, part), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('.tmp'))
        .map((entry) => join(entry.parentPath, entry.name))
        .map((path): [string, string] => [path.slice(root.length + 1), fs.readFileSync(path, 'utf8')]),
    ),
  );

/** As Syncthing does it: of two files that differ one stays, the other gets another name; what is gone on one side only, comes back. */
function merge(into: Machine, from: Machine, wins: 'here' | 'there'): void {
  const here = filesOf(into.root);
  for (const [path, text] of filesOf(from.root)) {
    const own = here.get(path);
    const target = join(into.root, path);
    fs.mkdirSync(dirname(target), { recursive: true });
    if (own === undefined) fs.writeFileSync(target, text);
    else if (own !== text) {
      const aside = target.replace(/\.(\w+)$/, `.${CONFLICT}.$1`);
      fs.writeFileSync(aside, wins === 'here' ? text : own);
      fs.writeFileSync(target, wins === 'here' ? own : text);
    }
  }
}

/** Who is neither recorded, by the state that stands, nor told by `output`. */
async function hidden(at: Machine, said: Record<string, string>, output: string): Promise<string[]> {
  const { councils } = (await at.council<Status>('status', '--json')).json;
  const [state] = councils;
  const archived = filesOf(at.root);
  const texts = [...archived].filter(([path]) => path.startsWith('conseils/') || path.includes('.late/'));
  const shown = state ? fs.readFileSync(state.path, 'utf8') : '';
  return Object.entries(said).flatMap(([who, text]) => {
    const isIn = [shown, ...texts.map(([, one]) => one)].some((one) => one.includes(text));
    const isSealed = Boolean(state?.participants[who]?.commitment) && state?.currentPhase === 'COLLECT';
    return isIn || isSealed || output.includes(`${who} answered on another machine`) ? [] : [who];
  });
}

const output = ({ stdout, stderr }: Run): string => stdout + stderr;

describe.concurrent('a project that a program has synced between two machines', () => {
  for (const phase of ['COLLECT', 'CHALLENGE', 'RESOLVE'])
    for (const wins of ['here', 'there'] as const)
      it(`hides nothing that was answered in ${phase}, whichever file stays (${wins})`, async () => {
        const { here, there } = await twoMachines(phase);
        const said = { ana: 'ana says it here', ben: 'ben says it there' };
        await here.respond('ana', said.ana);
        await there.respond('ben', said.ben);
        merge(here, there, wins);
        for (const command of ['status', 'tick', 'doctor']) {
          const told = output(await here.council(command));
          expect(await hidden(here, said, told), `${command}: ${told}`).toEqual([]);
          if (command !== 'tick') expect(told).toContain('council adopt --name active-conversation --file');
        }
      });

  for (const wins of ['here', 'there'] as const)
    it(`hides nothing where one machine went on to the next phase, and to the archive (${wins})`, async () => {
      const { here, there } = await twoMachines('CHALLENGE');
      const said: Record<string, string> = { ana: 'ana says it here' };
      await here.respond('ana', said.ana!);
      for (const id of ['ben', 'cara']) {
        said[id] = `${id} says it there`;
        await there.respond(id, said[id]);
      }
      await there.council('excuse', 'ana', '--why', 'away');
      await there.council('tick');
      merge(here, there, wins);
      for (const command of ['status', 'doctor'])
        expect(await hidden(here, said, output(await here.council(command))), command).toEqual([]);
      await there.council('cancel', '--why', 'enough');
      merge(here, there, wins);
      for (const command of ['status', 'doctor'])
        expect(await hidden(here, said, output(await here.council(command))), command).toEqual([]);
    });

  it('takes an answer over, of a blind phase what binds it alone', async () => {
    const { here, there } = await twoMachines('COLLECT');
    await here.respond('ana', 'ana says it here');
    await there.respond('ben', 'ben says it there');
    merge(here, there, 'here');
    const { aside } = (await here.council<Status>('status', '--json')).json.councils[0]!;
    expect(aside).toMatchObject([{ participant: 'ben', phase: 'COLLECT', tour: 1 }]);
    const adopted = await here.council('adopt', '--file', aside![0]!.path);
    expect(adopted.stdout).toContain('Taken over: ben (COLLECT, round 1)');
    expect(output(adopted)).not.toContain('ben says it there');
    const state = (await here.council<Status>('status', '--json')).json.councils[0]!;
    expect(state.aside).toBeUndefined();
    expect(state.missing).toEqual(['ben']);
    const folder = join(dirname(here.root), 'outside', 'state-there');
    const sealed = fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .find((name) => /\/sealed-ben-[^/]+\.json$/.test(`/${name}`));
    expect((await here.council('reveal', 'ben', '--file', join(folder, sealed!))).code).toBe(0);
    await here.respond('cara', 'cara says it here');
    await here.council('tick');
    expect(fs.readFileSync(state.path, 'utf8')).toContain('ben says it there');
    // What was kept aside holds nothing more, and taking it over again says so.
    const again = await here.council('adopt', '--file', aside![0]!.path);
    expect(again.stderr).toContain('holds no answer');
    expect(output(await here.council('doctor'))).not.toContain('answered on another machine');
  });

  it('shows what an open answer adds, and keeps among the late texts what comes too late', async () => {
    const { here, there } = await twoMachines('CHALLENGE');
    await here.respond('ana', 'ana says it here');
    await here.respond('cara', 'cara says it here');
    await there.respond('ana', 'ana says something else there');
    await there.respond('ben', 'ben says it there');
    merge(here, there, 'here');
    const paths = new Set(
      (await here.council<Status>('status', '--json')).json.councils[0]!.aside!.map(({ path }) => path),
    );
    const told = [];
    for (const path of paths) told.push(output(await here.council('adopt', '--file', path)));
    expect(told.join()).toContain('+ ben says it there');
    expect(told.join()).toContain('Taken over: ben');
    expect(told.join()).toMatch(/Kept: .*\.late.*ana-CHALLENGE-2-/);
    expect((await here.council<Status>('status', '--json')).json.councils[0]!.aside).toBeUndefined();
  });

  it('finds the answer in a history that was copied as a whole, and tells every copied folder once', async () => {
    const { here, there } = await twoMachines('CHALLENGE');
    await here.respond('ana', 'ana says it here');
    await there.respond('ben', 'ben says it there');
    const shared = 'memory/shared';
    const histories = `${shared}/.versions`;
    const copy = (from: Machine, of: string, to: string): string => {
      fs.cpSync(join(from.root, of), join(here.root, to), { recursive: true });
      return join(here.root, to);
    };
    const name = `${histories}/active-conversation`;
    const other = copy(there, name, `${name} (conflicted copy 2026-11-26)`);
    const told =
      /ben answered on another machine \(CHALLENGE, round 2\): .*(?:conflicted copy|sync-conflict)/;
    for (const command of ['status', 'tick', 'doctor']) {
      const shown = output(await here.council(command));
      expect(shown, command).toMatch(told);
      expect(shown, command).toContain(other);
    }
    fs.rmSync(other, { recursive: true });
    const all = copy(there, histories, `${histories}.${CONFLICT}`);
    expect(output(await here.council('status'))).toMatch(told);
    const [aside] = (await here.council<Status>('status', '--json')).json.councils[0]!.aside!;
    expect((await here.council('adopt', '--file', aside!.path)).stdout).toContain('Taken over: ben');
    const copies = [all, ...['agents (1)', 'memory 2'].map((to) => copy(here, to.split(' ')[0]!, to))];
    copies.push(
      copy(here, name, `${name}.${CONFLICT}`),
      copy(here, `${shared}/channels`, `${shared}/channels (1)`),
    );
    const doctor = output(await here.council('doctor'));
    expect(doctor).toContain(`rm -r ${all}`);
    for (const path of copies) expect(doctor.split(`${path} is a copy of`), path).toHaveLength(2);
  });

  it('takes what a cloud has put away for nothing that is missing', async () => {
    const { here } = await twoMachines('COLLECT');
    await here.respond('ana', 'ana says it');
    const history = join(here.root, 'memory/shared/.versions/active-conversation');
    fs.renameSync(join(history, '2.md'), join(history, '.2.md.icloud'));
    fs.rmSync(join(here.root, 'memory/shared/council-active-conversation.md'));
    const status = await here.council('status');
    expect(status.stderr).toContain('2.md was put away by iCloud');
    expect((await here.council('tick')).stderr).toContain('put away by iCloud');
    expect(fs.existsSync(join(history, '2.md'))).toBe(false);
    expect(fs.existsSync(join(history, '3.md'))).toBe(false);
    fs.renameSync(join(history, '.2.md.icloud'), join(history, '2.md'));
    expect((await here.council<Status>('status', '--json')).json.councils[0]).toMatchObject({ revision: 2 });
  });

  it('is told by doctor that it lies in a folder that is synced', async () => {
    const { here } = await twoMachines('COLLECT');
    expect(output(await here.council('doctor'))).not.toContain('syncs');
    fs.mkdirSync(join(here.root, '.stfolder'));
    expect(output(await here.council('doctor'))).toContain(`${here.root}, which Syncthing syncs`);
  });
});
