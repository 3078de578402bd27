// Puts a message into lines for people.
import type { MessageDocument } from '../messages/use/message-document.ts';
import { oneLine } from '../../core/base/text.ts';
import { localTime } from '../../core/base/local-time.ts';
import type { Cli } from '../../core/cli/io.ts';

/**
 * A head with who, whom, when and the id, and the text below it, each line indented: no text can look like another head.
 * `mark` says what there is to say of it beside.
 */
export function messageLines(message: MessageDocument, { paint }: Pick<Cli, 'paint'>, mark = ''): string[] {
  const { id, time, from, to, channel, type, priority, text, code, artifacts, replyTo } = message;
  const facts = [
    ...(type === 'chat' ? [] : [oneLine(type, 40)]),
    ...(priority === 'normal' ? [] : [priority]),
    ...(replyTo === null ? [] : [`answers ${oneLine(replyTo, 120)}`]),
    ...(mark === '' ? [] : [mark]),
  ];
  const told = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
  const who = `${oneLine(from, 64)} to ${oneLine(to, 64)}`;
  return [
    paint('bold', `${who} in ${channel}, ${localTime(time, Date.now())}${told}`),
    `  ${paint('dim', oneLine(id, 120))}`,
    ...indentLines(text),
    ...(code === null ? [] : ['  ---', ...indentLines(code), '  ---']),
    ...artifacts.map((file) => `  + ${oneLine(file, 200)}`),
  ];
}

const indentLines = (text: string): string[] =>
  text
    .replace(/\s+$/, '')
    .split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/)
    .map((line) => `  ${line}`);
