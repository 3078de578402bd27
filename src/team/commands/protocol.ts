// Command `protocol`: prints each result as it arrives, as text or as one JSON document per line.
import type { ProtocolInput } from '../input/tasks.ts';
import { readFilePieces, readProtocolLines } from '../messages/use/protocol.ts';
import type { ProtocolLine, NumberedResult } from '../messages/use/protocol.ts';
import { CouncilError } from '../../core/base/errors.ts';
import { formatPrintableJson } from '../../core/base/terminal.ts';
import { toOneLine } from '../../core/base/text.ts';
import type { Cli } from '../../core/cli/io.ts';
import { writeOut } from '../../core/cli/stdout.ts';
import type { Command } from '../../core/cli/spec.ts';
import type { CheckedScene, CheckedWorker } from '../agents/check-worker.ts';
import type { Outcome } from '../../core/cli/print.ts';

type ParsedLine = Extract<ProtocolLine, { message: unknown }>;

export const performProtocol: Command<ProtocolInput> = async (cli, input) => {
  const { messages, action } = input;
  if (action === 'check-worker') return performCheckWorker(cli, input);
  const pieces =
    messages === undefined || messages.from === '-'
      ? (process.stdin as AsyncIterable<Uint8Array>)
      : readFilePieces(cli, messages);
  const count = { valid: 0, invalid: 0 };
  for await (const told of readProtocolLines(cli, input, pieces)) {
    for (const { result } of told) count[result.ok ? 'valid' : 'invalid']++;
    const lines = told.flatMap((one) =>
      cli.json ? [formatPrintableJson(one.result)] : renderProtocolResult(cli, one, action),
    );
    if (lines.length > 0) writeOut(`${lines.join('\n')}\n`);
  }
  if (action === 'validate' && count.valid + count.invalid === 0)
    throw new CouncilError('usage', 'There is nothing to validate: no message was given.', {
      hint: 'One message a line, in a file or on stdin: council protocol validate FILE',
    });
  const total = count.valid + count.invalid;
  const summary = `${total} message${total === 1 ? '' : 's'}: ${count.valid} valid, ${count.invalid} not.`;
  // JSON has been printed already, one result per line.
  return {
    json: undefined,
    text: action === 'validate' ? summary : '',
    exitCode: count.invalid === 0 ? 0 : 1,
  };
};

/** Returns the lines for stdout; warnings, and faults of a conversion, go to stderr. */
function renderProtocolResult(
  cli: Cli,
  { line, result }: NumberedResult,
  action: ProtocolInput['action'],
): string[] {
  const warnings = 'warnings' in result ? (result.warnings ?? []) : [];
  for (const warning of warnings) cli.note(`line ${line}: ${toOneLine(warning)}`);
  if (!result.ok) {
    const fault = describeWireFault(line, result);
    if (action !== 'convert' && action !== 'sign') return [fault];
    cli.note(fault);
    return [];
  }
  if ('text' in result) {
    if (result.lost.length > 0)
      cli.note(`line ${line}: ${result.format} cannot carry ${result.lost.join(', ')}.`);
    // V1 separates blocks by an empty line.
    return [result.format === 'v1' ? `${result.text}\n` : result.text];
  }
  if (action === 'explain') return [...renderExplainedLine(cli, line, result), ''];
  return action === 'parse' ? [renderParsedLine(line, result)] : [];
}

function describeWireFault(line: number, { format, error }: Extract<ProtocolLine, { ok: false }>): string {
  const { code, segment, name, expected, received } = error;
  const isCount = name === 'segments' && expected.includes('segments');
  const where = segment === 0 ? (isCount ? 'the line' : name) : `segment ${segment} (${name})`;
  return `line ${line}: ${format} ${code}: ${toOneLine(where)} must be ${toOneLine(expected)}; received ${toOneLine(JSON.stringify(received))}.`;
}

function renderParsedLine(line: number, { format, message }: ParsedLine): string {
  const {
    id,
    from,
    to,
    role,
    kind,
    body,
    data: _data,
    payload: _payload,
    extra: _extra,
    ...others
  } = message;
  const route = from === undefined ? role : `${from} to ${to}`;
  const facts = Object.entries(others).map(
    ([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const head = `line ${line}: ${format} ${id} ${kind}, ${route}`;
  const text = body === undefined ? '' : `: ${body}`;
  return toOneLine(`${[head, ...facts].join('; ')}${text}`, 1000);
}

function renderExplainedLine(cli: Cli, line: number, { format, parts = [] }: ParsedLine): string[] {
  const rows = parts.map(({ segment, name, value, meaning }) => [
    segment === 0 ? '' : String(segment),
    name,
    toOneLine(value, 60),
    toOneLine(meaning, 200),
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const table = rows.map((row) =>
    `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd(),
  );
  return [cli.paint('bold', `line ${line}: ${format}`), ...table];
}

const ONE_ANSWER_MS = 60_000;

async function performCheckWorker(cli: Cli, input: ProtocolInput): Promise<Outcome> {
  const { messages, command = [], input: mode, timeout = ONE_ANSWER_MS } = input;
  // The first word after -- is parsed as the file that other actions take.
  const argv = [...(messages === undefined ? [] : [messages.from]), ...command];
  if (argv.length === 0)
    throw new CouncilError('usage', 'Which worker is checked? Give its command after --.', {
      hint: 'For example: council protocol check-worker -- node worker.js',
    });
  const { checkWorker } = await import('../agents/check-worker.ts');
  const checked = await checkWorker(cli, { argv, mode, timeout });
  return { json: checked, text: renderWorkerCheck(checked).join('\n'), exitCode: checked.ok ? 0 : 1 };
}

function renderWorkerCheck({ ok, silent, conversations }: CheckedWorker): string[] {
  const spoken = new Set(conversations.map(({ mode }) => mode));
  const unspoken = silent.filter((mode) => !spoken.has(mode));
  const how = { line: 'one line after the other', prompt: 'a prompt on stdin' };
  return [
    ...conversations.flatMap(formatSceneLines),
    ...unspoken.map((mode) => `It says nothing to ${how[mode]} (--input ${mode}): that was left out.`),
    ...[...spoken].map((mode) => {
      const own = conversations.filter((one) => one.mode === mode);
      return `${mode}: ${own.filter((one) => one.ok).length} of ${own.length} conversations are right.`;
    }),
    ...(ok && conversations.some((one) => !one.ok)
      ? [`Its agent file has to say input: ${findRightMode(conversations)}.`]
      : []),
  ];
}

const findRightMode = (conversations: CheckedScene[]): string | undefined =>
  conversations.find(({ mode }) => conversations.every((one) => one.mode !== mode || one.ok))?.mode;

const formatSceneLines = ({ mode, name, ok, faults, advice }: CheckedScene): string[] => [
  `${mode}: ${name}: ${ok ? 'right' : 'wrong'}`,
  ...faults.flatMap(({ code, text, row }) => [
    `  ${code}: ${toOneLine(text, 300)}`,
    ...(row === undefined ? [] : [`    ${toOneLine(row, 200)}`]),
  ]),
  ...advice.map((one) => `  (${toOneLine(one, 200)})`),
];
