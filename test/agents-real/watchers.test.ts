import { expect, inject, it } from 'vitest';
import { canary } from '../helpers/canary.ts';
import { until } from '../helpers/cli.ts';
import type { Running } from '../helpers/cli.ts';
import { addAgent } from '../helpers/speakers.ts';
import { preset } from './debate.ts';
import { KINDS } from './install.ts';
import { expectNobodyLeft, newLab } from './lab.ts';

/** Answers of watchers to each other, after which they stop. */
const HOPS = 8;

interface Messages {
  messages: { id: string; from: string; to: string; text: string; replyTo: string | null }[];
}

it('two agent programs hold a conversation through their watchers, and stop by themselves', async (context) => {
  const clis = inject('clis');
  const kinds = KINDS.filter((kind) => 'program' in clis[kind]).slice(-2);
  if (kinds.length < 2) context.skip('there are not two agent programs');
  const marks = { ada: `SEAT-${canary()}`, ben: `SEAT-${canary()}` };
  let said = 0;
  const lab = await newLab(context, kinds, ({ raw, schema }) => {
    if (schema) return {};
    const who = (['ada', 'ben'] as const).find((id) => raw.includes(marks[id]));
    // Programs ask for titles and the like as well.
    if (who === undefined || !raw.includes('BEGIN council-text')) return { text: 'A title' };
    return { text: `${who} says ${++said}. @${who === 'ada' ? 'ben' : 'ada'}, what do you think?` };
  });
  const { project } = lab;
  for (const [at, id] of (['ada', 'ben'] as const).entries())
    addAgent(project, id, { timeout: '120s', ...preset(kinds[at]!) }, `Your seat is ${marks[id]}.`);
  await project.council(['trust', '--yes']);
  const watchers: Running[] = ['ada', 'ben'].map((id) => project.launch(['watch-channel', id]));
  const shown = (): string => watchers.map((one) => one.output()).join('\n');
  await until('both watchers are ready', () =>
    watchers.every((one) => one.output().includes('Answering for')),
  );
  await project.council(['send', 'ada', 'Where should the queue live?']);
  await until('one of them stops', () => shown().includes('back and forth'), 240_000).catch(
    (error: unknown) => {
      throw new Error(shown(), { cause: error });
    },
  );
  for (const { child } of watchers) child.kill('SIGTERM');
  await Promise.all(watchers.map(({ ended }) => ended));
  const { messages } = (await project.council<Messages>(['channel', 'show', 'general', '--json'])).json;
  expect(messages).toHaveLength(1 + HOPS);
  const question = messages.find(({ from }) => from === 'human')!;
  // Along the answers: of one second the names of files do not tell who was first.
  let last = question;
  for (let at = 0; at < HOPS; at++) {
    const answer = messages.find(({ replyTo }) => replyTo === last.id)!;
    expect(answer).toMatchObject({
      from: at % 2 === 0 ? 'ada' : 'ben',
      to: last.from,
      text: expect.stringMatching(/^(ada|ben) says \d+\. @(ada|ben), what do you think\?$/) as unknown,
    });
    last = answer;
  }
  await expectNobodyLeft(lab);
});
