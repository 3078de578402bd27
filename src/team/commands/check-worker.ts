// `protocol check-worker`: says in words, or as one JSON document, what a worker program got wrong.
import { checkWorker } from '../agents/check-worker.ts';
import type { CheckedScene, CheckedWorker } from '../agents/check-worker.ts';
import type { ProtocolInput } from '../input/protocol.ts';
import { CouncilError } from '../../core/base/errors.ts';
import { oneLine } from '../../core/base/text.ts';
import type { Cli } from '../../core/cli/io.ts';
import type { Outcome } from '../../core/cli/print.ts';

const ONE_ANSWER_MS = 60_000;

export async function checkWorkerCommand(cli: Cli, input: ProtocolInput): Promise<Outcome> {
  const { messages, command = [], input: mode, timeout = ONE_ANSWER_MS } = input;
  // The first word after -- stands where the other actions have their file.
  const argv = [...(messages === undefined ? [] : [messages.from]), ...command];
  if (argv.length === 0)
    throw new CouncilError('usage', 'Which worker is checked? Give its command after --.', {
      hint: 'For example: council protocol check-worker -- node worker.js',
    });
  const checked = await checkWorker(cli, { argv, mode, timeout });
  return { json: checked, text: renderWorkerCheck(checked).join('\n'), exitCode: checked.ok ? 0 : 1 };
}

function renderWorkerCheck({ ok, silent, conversations }: CheckedWorker): string[] {
  const spoken = new Set(conversations.map(({ mode }) => mode));
  const unspoken = silent.filter((mode) => !spoken.has(mode));
  const how = { line: 'one line after the other', prompt: 'a prompt on stdin' };
  return [
    ...conversations.flatMap(lines),
    ...unspoken.map((mode) => `It says nothing to ${how[mode]} (--input ${mode}): that was left out.`),
    ...[...spoken].map((mode) => {
      const own = conversations.filter((one) => one.mode === mode);
      return `${mode}: ${own.filter((one) => one.ok).length} of ${own.length} conversations are right.`;
    }),
    ...(ok && conversations.some((one) => !one.ok)
      ? [`Its agent file has to say input: ${rightMode(conversations)}.`]
      : []),
  ];
}

const rightMode = (conversations: CheckedScene[]): string | undefined =>
  conversations.find(({ mode }) => conversations.every((one) => one.mode !== mode || one.ok))?.mode;

const lines = ({ mode, name, ok, faults, advice }: CheckedScene): string[] => [
  `${mode}: ${name}: ${ok ? 'right' : 'wrong'}`,
  ...faults.flatMap(({ code, text, row }) => [
    `  ${code}: ${oneLine(text, 300)}`,
    ...(row === undefined ? [] : [`    ${oneLine(row, 200)}`]),
  ]),
  ...advice.map((one) => `  (${oneLine(one, 200)})`),
];
