// Offline panel: the program, which reads a view on stdin and writes a contribution to stdout.
import { CouncilError } from '../core/base/errors.ts';
import { cleanForTerminal } from '../core/base/terminal.ts';
import { decodeText } from '../core/base/text.ts';
import { REVIEWER_IDS } from './reviewer.ts';
import { parseView } from './view.ts';

const IDS = [...REVIEWER_IDS, 'rapporteur'] as const;

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return decodeText(Buffer.concat(chunks), 'stdin');
}

async function main(id: string | undefined): Promise<void> {
  const known = IDS.find((one) => one === id);
  if (!known) {
    throw new CouncilError(
      'usage',
      id === undefined
        ? 'Which reviewer shall speak?'
        : `There is no reviewer ${JSON.stringify(id.slice(0, 40))}.`,
      {
        hint: `Name one of ${IDS.join(', ')}, and give it on stdin what "council view AGENT --json" prints.`,
      },
    );
  }
  const view = parseView(await readStdin());
  // The analysers are loaded only after the input is validated.
  const { speak } = await import('./speak.ts');
  process.stdout.write(await speak(known, view));
}

try {
  await main(process.argv[2]);
} catch (error) {
  if (!(error instanceof CouncilError)) throw error;
  process.stderr.write(
    `${cleanForTerminal(error.message)}\n${error.hint ? `${cleanForTerminal(error.hint)}\n` : ''}`,
  );
  process.exitCode = error.exitCode;
}
