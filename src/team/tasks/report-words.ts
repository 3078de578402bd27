// The words by which the parts of a report are known, as models write them in English and French.
import type { ReportStatus } from './report.ts';

export type PartName = 'results' | 'tools' | 'mcp' | 'next' | 'metadata';

const PARTS: Record<PartName, string> = {
  results: 'result, results, resultat, resultats, output, outputs, sortie, reponse',
  tools:
    'tool, tools, tools used, used tools, tool use, tool usage, tools usage, outils, outils utilises, outils employes',
  mcp: 'mcp, mcp servers, mcp servers called, mcp servers used, mcp servers usage, mcp calls, mcp server calls, serveurs mcp, serveurs mcp appeles, serveurs mcp utilises, appels mcp',
  next: 'next, next actions, next steps, next action, follow up, follow ups, prochaines actions, actions suivantes, prochaines etapes, etapes suivantes, suite, suites, a faire, todo',
  metadata: 'metadata, meta, meta data, metadonnees, metrics, metriques',
};

export type LabelName = 'agent' | 'task' | 'status' | 'duration' | 'provider' | 'model' | 'tokens' | 'cost';

const LABELS: Record<LabelName, string> = {
  agent: 'agent, agent id',
  task: 'task, tache, mission',
  status: 'status, statut, etat',
  duration: 'duration, duree, time taken, elapsed, temps, execution time, temps d execution',
  provider: 'provider, fournisseur',
  model: 'model, modele',
  tokens: 'tokens, token, jetons, token usage',
  cost: 'cost, cout',
};

/** Lower case, without accents, pictures, numbers in front, emphasis and punctuation. */
const normalizeLabel = (words: string): string =>
  words
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/^[\s\d]+/, '')
    .trim();

const lookup = <Name extends string>(table: Record<Name, string>): Map<string, Name> =>
  new Map(
    (Object.entries(table) as [Name, string][]).flatMap(([name, words]) =>
      words.split(', ').map((word): [string, Name] => [word, name]),
    ),
  );
const parts = lookup(PARTS);
const labels = lookup(LABELS);

export const findReportPart = (heading: string): PartName | undefined => parts.get(normalizeLabel(heading));
export const findReportLabel = (label: string): LabelName | undefined => labels.get(normalizeLabel(label));

/** The agent named in the title of a report; an empty text for a title without one, undefined for another heading. */
export function titleAgent(heading: string): string | undefined {
  const found =
    /^\P{L}*(?:agent(?:'s|’s)? report|rapport (?:d[’']agent|de l[’']agent)|report|rapport)\s*(?:[:：—–-]\s*(.*))?$/iu.exec(
      heading,
    );
  return found ? (found[1]?.trim() ?? '') : undefined;
}

/** In this order: "partial success" is partial, "unsuccessful" has failed. */
const STATUSES: [ReportStatus, RegExp][] = [
  ['Partial', /partial|partiel|incomplete|incomplet|⚠/],
  ['In Progress', /in[\s_-]?progress|en cours|ongoing|running|🔄|⏳/],
  ['Failed', /fail|unsuccess|not success|echec|echou|non reussi|error|erreur|❌|✗/],
  ['Success', /success|succes|reussi|done|complete|termine|✅|✔|^ok\b/],
];

/** The one status that a text names; undefined for none, and where several stand beside each other to choose from. */
export function parseReportStatus(text: string): ReportStatus | undefined {
  const said = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  if (/[|/]/.test(said) && STATUSES.filter(([, words]) => words.test(said)).length > 1) return undefined;
  return STATUSES.find(([, words]) => words.test(said))?.[0];
}
