// What a plain word of front matter stands for: YAML 1.1 without its yes and no, as council has always read it. The library's own
// schemas read `0777`, `1:30`, `08`, dates or `yes` otherwise.
import type { ScalarTag, SchemaOptions } from 'yaml';

const INT =
  /^[-+]?(?:0(?:b[01_]*[01]|x[\da-fA-F_]*[\da-fA-F]|[0-7_]*[0-7])?|[1-9](?:[\d_]*\d)?|[1-9][\d_]*(?::[0-5]?\d)+)$/;
const FLOAT =
  /^(?:[-+]?(?:0|[1-9][\d_]*)(?:\.[\d_]*)?(?:[eE][-+]?\d+)?|\.[\d_]+(?:[eE][-+]?\d+)?|[-+]?\d[\d_]*(?::[0-5]?\d)+\.[\d_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))(?<!_)$/;
const DATE = String.raw`(\d{4})-(\d\d)-(\d\d)`;
const TIME = String.raw`(\d{4})-(\d\d?)-(\d\d?)(?:[Tt]|[ \t]+)(\d\d?):(\d\d):(\d\d)(?:\.(\d*))?(?:[ \t]*(?:Z|([-+])(\d\d?)(?::(\d\d))?))?`;
const TIMESTAMP = new RegExp(`^(?:${DATE}|${TIME})$`);

const tag = (
  name: string,
  test: RegExp,
  resolve: ScalarTag['resolve'],
  written: Pick<ScalarTag, 'identify' | 'stringify'> = {},
): ScalarTag => ({ tag: `tag:yaml.org,2002:${name}`, default: true, test, resolve, ...written });

const isNumber = (value: unknown): boolean => typeof value === 'number';

/** The schema of everything that council reads and writes as YAML. */
export const SCHEMA: SchemaOptions = {
  schema: 'failsafe',
  resolveKnownTags: false,
  customTags: [
    'null',
    'bool',
    tag('int', INT, readInt),
    tag('float', FLOAT, readFloat, { identify: isNumber, stringify: ({ value }) => writeNumber(value) }),
    tag('timestamp', TIMESTAMP, readTimestamp),
    // Put into quotes where it is a text. What it does as a key is the reader's affair.
    tag('merge', /^<<$/, (text) => text),
    'binary',
    { tag: 'tag:yaml.org,2002:set', collection: 'map', resolve: (map) => map },
    { tag: 'tag:yaml.org,2002:omap', collection: 'seq', resolve: (list) => list },
  ],
};

function readInt(text: string): number {
  const digits = text.replace(/[-+_]/g, '');
  const sign = text.startsWith('-') ? -1 : 1;
  if (digits === '0') return 0;
  if (digits.startsWith('0b')) return sign * parseInt(digits.slice(2), 2);
  if (digits.startsWith('0x')) return sign * parseInt(digits, 16);
  if (digits.startsWith('0')) return sign * parseInt(digits, 8);
  return sign * (digits.includes(':') ? sexagesimal(digits) : parseInt(digits, 10));
}

function readFloat(text: string): number {
  const digits = text.replace(/_|^[-+]/g, '').toLowerCase();
  const sign = text.startsWith('-') ? -1 : 1;
  if (digits === '.inf') return sign * Infinity;
  if (digits === '.nan') return NaN;
  return sign * (digits.includes(':') ? sexagesimal(digits) : parseFloat(digits));
}

/** Hours, minutes and seconds, as in 1:30:00. */
const sexagesimal = (digits: string): number =>
  digits.split(':').reduce((sum, part) => sum * 60 + parseFloat(part), 0);

function readTimestamp(text: string): Date {
  const found = TIMESTAMP.exec(text)?.slice(1) ?? [];
  const day = found.slice(0, 3);
  if (day[0] !== undefined) return new Date(utc(day));
  const [fraction = '', sign, hours = 0, minutes = 0] = found.slice(9);
  const zone = (Number(hours) * 60 + Number(minutes)) * 60_000;
  const local = utc(found.slice(3, 9)) + Number(fraction.slice(0, 3).padEnd(3, '0'));
  return new Date(sign === '-' ? local + zone : local - zone);
}

function utc(parts: string[]): number {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts.map(Number);
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

function writeNumber(value: unknown): string {
  if (Number.isNaN(value)) return '.nan';
  if (value === Infinity || value === -Infinity) return value > 0 ? '.inf' : '-.inf';
  return Object.is(value, -0) ? '-0.0' : String(value);
}
