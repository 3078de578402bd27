// Les mots du fichier d'état, des archives, du résumé calculé et des consignes. Mêmes clés que en.ts.
// {name} est un emplacement. Les noms des phases et les identifiants sont des données : ils ne sont pas traduits.
import type { en } from './en.ts';
import { councilWords } from './fr/council.ts';
import { archiveWords } from './fr/archive.ts';
import { promptsWords } from './fr/prompts.ts';
import { terminalWords } from './fr/terminal.ts';

export const fr = (): ReturnType<typeof en> => ({
  ...councilWords(),
  ...archiveWords(),
  ...promptsWords(),
  ...terminalWords(),
});
