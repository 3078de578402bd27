// Links of foreign texts: which may be followed, and where they really lead.
import { forTerminal } from '../../../core/base/terminal.ts';

const PROTOCOLS = ['http:', 'https:', 'mailto:'];

/** An address that may be followed, and what tells where it leads. */
export interface Place {
  href: string;
  /** The host with its port, in ASCII; the address of a mail. */
  host: string;
}

/**
 * Where a link of somebody's text leads; undefined for what is not followed: scripts, data, files, and addresses that are
 * relative to a page which their author never saw.
 */
export function placeOf(address: string): Place | undefined {
  const url = URL.parse(address.trim());
  if (!url || !PROTOCOLS.includes(url.protocol)) return undefined;
  const host = url.protocol === 'mailto:' ? url.pathname : url.host;
  return host === '' ? undefined : { href: url.href, host: forTerminal(host) };
}

/** True for words that are the address themselves, or its host: they need nothing beside them. */
export function tellsHost(words: string, { href, host }: Place): boolean {
  const said = words.trim();
  if (said === host) return true;
  // "https://bank.example@evil.example/" reads like the bank: what stands before the @ is a name for evil.example.
  const { username, password } = new URL(href);
  if (username !== '' || password !== '') return false;
  return [said, `http://${said}`, `mailto:${said}`].some((one) => URL.parse(one)?.href === href);
}
