// Tells which names of a table are words of the language as well.
import type { Found, Name } from './names.ts';
import { keyOfName } from './names.ts';
import { ROLE_WORDS } from './roles.ts';
import { isDetermined } from './surroundings.ts';

/**
 * Whether a name, spelled as it is here, may be an ordinary word: a name of roles, a spelling that topic, brief or options
 * use themselves (in lower case, it holds for all spellings), or what an answer uses like one ("our data").
 */
export function ordinaryNames(
  asked: readonly string[],
  answers: readonly string[],
  foundIn: (text: string) => Found[],
): (name: Name, words: string) => boolean {
  const used = new Set(
    asked.flatMap((text) => foundIn(text).map(({ start, end }) => text.slice(start, end))),
  );
  for (const text of answers)
    for (const { name, start, end } of foundIn(text))
      if (isDetermined(text, start, end)) used.add(keyOfName(name.spelling));
  const isRole = (key: string): boolean => key.split(/[ -]+/).every((word) => ROLE_WORDS.has(word));
  return ({ what }, words) => {
    const key = keyOfName(words);
    return what !== 'emoji' && (isRole(key) || used.has(words) || used.has(key));
  };
}
