// An entry of the message log as the line that seeds/000 recommends. Pure.
import { GRAMMARS } from './codecs/grammar.ts';
import type { Entry } from './log-entry.ts';

/** What a line says; what is of no message has no id. */
type Lined = Omit<Entry, 'event' | 'message_id' | 'direction' | 'channel'> & {
  event: string;
  message_id?: string;
  wire?: string;
};

const LETTERS = new Map(Object.entries(GRAMMARS.v5.types).map(([letter, kind]) => [kind as string, letter]));

const DAY_MS = 86_400_000;
/** Names from elsewhere may hold what separates the parts of a line. */
const word = (text: string): string => text.replace(/[\s[\]>]/g, '_');

/** The codes of the lines' own errors; other reasons are told as data. */
const CODE = /^E\d{2}(?=\s|$)/;

/** `[TS] [LEVEL] [CTX] [TID] FROM>TO TYPE ERR DATA_SUMMARY`, where TS counts the seconds of the UTC day, and `-` is what there is none of. */
export function logLine(entry: Lined): string {
  const { timestamp, context = '-', task = '-', from, to, type, error = '', event, summary } = entry;
  const seconds = Math.floor((Date.parse(timestamp) % DAY_MS) / 1000);
  const [code = ''] = CODE.exec(error) ?? [];
  const reason = error.slice(code.length).trim();
  return [
    `[${seconds}]`,
    `[${chooseLevel(entry)}]`,
    `[${word(context)}]`,
    `[${word(task)}]`,
    entry.wire ?? `${word(from)}>${word(to)}`,
    LETTERS.get(type) ?? word(type),
    code || '-',
    event === 'stored' ? (summary ?? '-') : asData(entry),
    ...(reason === '' ? [] : [`reason=${reason}`]),
  ].join(' ');
}

/** What happened to a message after it was stored: there is no place of its own for that. */
const asData = ({ event, message_id: id, agent, attempt }: Lined): string =>
  [
    id === undefined ? `event=${event}` : `${event}=${id}`,
    ...(agent ? [`agent=${agent}`] : []),
    ...(attempt ? [`attempt=${attempt}`] : []),
  ].join(';');

function chooseLevel({ event, status, type }: Lined): 'INFO' | 'WARN' | 'ERROR' {
  if (event === 'dead') return 'ERROR';
  return status === 'success' && type !== 'error' ? 'INFO' : 'WARN';
}
