import { describe, expect, it } from 'vitest';
import { newProject } from '../helpers/cli.ts';
import type { Responded, Status, Ticked, Viewed } from '../helpers/documents.ts';
import { exported } from '../helpers/look.ts';
import { addAgent, addSpeaker, launches } from '../helpers/speakers.ts';
import { IS_SHORT } from '../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

const FILE = 'memory/shared/council-active-conversation.md';

describe.concurrent('a council in French', () => {
  it('is what somebody gets whose terminal speaks French, unless something else was asked for', async () => {
    const env = { LANG: 'fr_FR.UTF-8' };
    const asked = async (...more: string[]) => {
      const project = await newProject({ init: false });
      addSpeaker(project, 'ada', { any: { say: '---\nposition: Déménager\n---\nIl est temps.' } });
      const { stdout, stderr } = await project.council(
        ['run', 'Faut-il déménager ?', '--agents', 'ada', '--coordinator', 'none', '--trust', ...more],
        { env },
      );
      return { told: stdout + stderr, project };
    };
    const { told, project } = await asked();
    for (const line of [
      'Conseil « active-conversation » (debate) : Faut-il déménager ?\nParticipants : ada. Coordination : aucune.',
      'active-conversation: COLLECT est ouverte (tour 1)\n',
      'active-conversation: on interroge ada\n',
      '\nÉtat : CONVERGED (1 lancement ; ',
      '\nArchive : conseils/',
      '\nEnsuite :\n  council show',
    ])
      expect(told).toContain(line);
    expect(told).not.toMatch(/\b(the|is|with|open|asking|Archive: )\b/);
    // From now on the project says so itself.
    expect(project.read('COUNCIL.md').toString()).toMatch(/^---\nlang: fr\n/);
    const english = await asked('--lang', 'en');
    expect(english.told).toContain('Council "active-conversation" (debate)');
    expect(english.project.read('COUNCIL.md').toString()).not.toMatch(/^lang: fr/m);
  });

  it('refuses in French what somebody types first, and prepares a folder in French', async () => {
    const project = await newProject({ init: false });
    const env = { LANG: 'fr_FR.UTF-8', PATH: '/nowhere' };
    const refusals = [
      [['ask', 'Faut-il déménager ?'], 'Personne à cette table ne peut répondre'],
      [['list'], 'Il n’y a aucun projet de conseils dans '],
      [['aks'], 'commande inconnue : aks\n(Vouliez-vous dire ask ?)\nVoir : council help'],
      [['Faut-il ?'], 'Personne à cette table ne peut répondre'],
      [
        ['ask', 'Faut-il ?', '--timeout', '5'],
        '; reçu : "5". Un nombre seul n’a pas d’unité ici : 5s, 5m ou 5h ?',
      ],
    ] as const;
    for (const [args, told] of refusals) {
      const { stderr, code } = await project.council([...args], { env });
      expect(stderr).toContain(told);
      expect(stderr).not.toMatch(/\b(the|with|is|or|and|See|Start)\b/);
      expect(code).toBe(2);
    }
    const { stdout } = await project.council(['init'], { env });
    expect(stdout).toMatch(/ est préparé :\n[^]*\nEnsuite :\n {2}council ask "votre question"/);
    expect(stdout).not.toMatch(/Prepared|Next|your question/);
    // For programs an error stays as it is.
    const { json } = await project.council<{ error: { message: string } }>(['show', 'rien', '--json'], {
      env,
    });
    expect(json.error.message).toBe('There is no archive "rien".');
    const unknown = await project.council(['ask', 'Faut-il ?', '--agents', 'rien'], { env });
    expect(unknown.stderr).toContain('council: Il n’y a pas d’agent "rien".\n');
  });

  it('has French headings and prompts, and is read like any other', async () => {
    const project = await newProject({ lang: 'fr' });
    addSpeaker(project, 'ada', { any: { say: '---\nposition: Déménager\n---\nIl est temps.' } });
    addAgent(project, 'ana');
    addSpeaker(project, 'maman', { SYNTHESIZE: { say: '## Décision\n\nOn déménage.' } });
    await project.council(['start', 'Faut-il déménager ?', '--coordinator', 'maman']);
    const text = () => project.read(FILE).toString();
    for (const heading of [
      '# Conversation active : Faut-il déménager ?',
      '## Métadonnées',
      '## Mandat (immuable)',
      '## Réponses : COLLECT (tour 1)',
      '## Convergence',
      '## Phase suivante',
    ])
      expect(text()).toContain(heading);
    expect(text()).toContain(
      '- Règle de décision : priorité au vote à l’aveugle (la position en tête du vote à l’aveugle ',
    );
    expect(text()).not.toMatch(/^ *- [^:\n]*[^ ]: /m);
    expect(text()).not.toMatch(/## (Brief|Metadata|Next phase|Responses)/);
    const { json } = await project.council<Viewed>(['view', 'ana', '--json']);
    for (const part of [
      'Vous répondez à l’aveugle',
      'Répondez à la question du mandat',
      'council respond ana',
      'Échéance',
    ])
      expect(json.prompt).toContain(part);
    expect(json.prompt).not.toMatch(/You answer alone|Answer the question|## The brief/);

    await project.council(['tick']);
    expect(launches(project)[0]!.input).toContain('Écrivez cela, et rien d’autre, sur la sortie standard');
    expect(
      await project.council<Responded>(['respond', 'ana', '--json'], {
        input: '## Mandat (immuable)\n\n## Réponses : COLLECT (tour 1)\nnon',
      }),
    ).toMatchObject({ code: 0, json: { phase: 'COLLECT' } });
    const closed = await project.council<Ticked>(['tick', '--no-launch', '--json']);
    expect(closed.json.councils[0]).toMatchObject({
      from: 'COLLECT',
      to: 'CHALLENGE',
      reason: 'all-responded',
    });
    expect((await project.council<Status>(['status', '--json'])).json.councils[0]).toMatchObject({
      lang: 'fr',
      participants: { ada: { position: 'Déménager' } },
    });
    expect((await project.council<Viewed>(['view', 'ana', '--json'])).json.contributions[0]!.label).toMatch(
      /^Participant [AB]$/,
    );

    await project.council(['respond', 'ana', '--done'], { input: 'non, toujours' });
    const { json: done } = await project.council<Ticked>(['tick', '--until-idle', '--json']);
    const archive = done.councils[0]!.archive!;
    const page = project.read(archive).toString();
    for (const heading of [
      '## Décision',
      '## Désaccords',
      '## Synthèse',
      '## Qui siégeait',
      '## Mandat',
      '## COLLECT (tour 1)',
    ])
      expect(page).toContain(`${heading}\n`);
    const facts = await exported(project, archive);
    expect(facts.synthesis).toMatchObject({ by: 'maman', text: '## Décision\n\nOn déménage.' });
    expect(facts.contributions.map((c) => `${c.participant} ${c.phase}`)).toEqual([
      'ada COLLECT',
      'ana COLLECT',
      'ada CHALLENGE',
      'ana CHALLENGE',
      'ada RESOLVE',
      'maman SYNTHESIZE',
    ]);
    expect((await project.council(['show', archive])).stdout).toContain('On déménage.');
  });

  long('goes on when the language of the project changes in between', async () => {
    const project = await newProject();
    for (const id of ['ana', 'bob']) addAgent(project, id);
    await project.council(['start', 'English first']);
    project.write('COUNCIL.md', '---\nlang: fr\n---\n');
    await project.council(['start', 'Puis en français', '--name', 'second', '--mode', 'synthesis']);
    for (const id of ['ana', 'bob']) {
      await project.council(['respond', id, '--name', 'active-conversation'], { input: 'yes' });
      await project.council(['respond', id, '--name', 'second'], { input: 'oui' });
    }
    const { json } = await project.council<Ticked>(['tick', '--no-launch', '--json']);
    expect(json.councils.map((c) => [c.name, c.to])).toEqual([
      ['active-conversation', 'CHALLENGE'],
      ['second', 'SYNTHESIZE'],
    ]);
    expect(project.read(FILE).toString()).toContain('## Brief (immutable)');
    const done = await project.council<Ticked>(['tick', '--name', 'second', '--json']);
    const { synthesis } = await exported(project, done.json.councils[0]!.archive!);
    expect(synthesis.text).toContain('Aucune synthèse n’a été demandée.');
  });
});
