// Writes an agent as a Markdown file, and edits settings in one, keeping all other text, comments and order.
import { writeFrontMatter } from '../base/front-matter.ts';
import { formatExactDuration } from '../base/duration.ts';
import { requireId } from '../base/ids.ts';
import { isObject, MAX_CONTRIBUTION_BYTES } from '../base/text.ts';
import { DEFAULT_TIMEOUT, getDefaultEmoji } from './agent.ts';
import type { Agent } from './agent.ts';
import { selectWorkSettings } from './work-settings.ts';
import { isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { cutFrontMatter } from '../base/front-matter-block.ts';
import { readAgentFile } from './agent-front-matter.ts';
import { YAML } from '../base/yaml.ts';

/**
 * Renders the Markdown file of an agent, for `council agents add` and `council init`, with only the settings
 * that differ from defaults. Throws `invalid_id` for an id that cannot be a file name.
 */
export function renderAgent(agent: Partial<Agent> & { id: string }): string {
  const id = requireId(agent.id, 'agent id');
  const { command = [], timeout = DEFAULT_TIMEOUT, inactivity = null, budget } = agent;
  const runner = agent.runner ?? (command.length > 0 ? 'command' : 'human');
  const council = omitEmptyFields({
    title: agent.title === id ? undefined : agent.title,
    emoji: agent.emoji === getDefaultEmoji(runner) ? undefined : agent.emoji,
    runner: runner === 'human' && command.length === 0 ? undefined : runner,
    command,
    args: agent.args,
    input: agent.input === 'prompt' ? undefined : agent.input,
    timeout: timeout === DEFAULT_TIMEOUT ? undefined : formatExactDuration(timeout),
    inactivity: inactivity === null ? undefined : formatExactDuration(inactivity),
    maxOutput: agent.maxOutput === MAX_CONTRIBUTION_BYTES ? undefined : agent.maxOutput,
    repair: agent.repair ?? undefined,
    budget: budget && omitEmptyFields({ usd: budget.usd ?? undefined, tokens: budget.tokens ?? undefined }),
    baseUrl: agent.baseUrl ?? undefined,
    apiKey: agent.apiKey ?? undefined,
    prices: agent.prices ?? undefined,
    permissions: agent.permissions === 'allow' ? 'allow' : undefined,
    env: agent.env,
    capabilities: agent.capabilities,
    seat: agent.seat,
    session: agent.session,
    ...selectWorkSettings(agent),
  });
  const data = omitEmptyFields({
    name: id,
    description: agent.description,
    model: agent.model ?? undefined,
    tools: agent.tools?.join(', '),
    council,
  });
  const persona = (agent.persona ?? '').trim();
  return writeFrontMatter(data, persona === '' ? '' : `\n${persona}\n`);
}

/** Drops absent and empty values. */
function omitEmptyFields(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => {
      if (value === undefined || value === '') return false;
      return typeof value !== 'object' || value === null || Object.keys(value).length > 0;
    }),
  );
}

/** New values by key; undefined deletes a key. `persona` is the text below the settings. */
interface AgentChanges {
  settings: Readonly<Record<string, unknown>>;
  persona?: string | undefined;
}

/** Keys shared with Claude Code go to the top level, unless the file has them below `council:`. */
const AT_TOP = ['description', 'model', 'tools'];

/** Returns the edited file. Throws `invalid_agent` if it cannot be read. */
export function editAgent(text: string, path: string, { settings, persona }: AgentChanges): string {
  const { data, body, readable } = readAgentFile(text, path);
  const own = isObject(data.council) ? data.council : {};
  const edits = Object.entries(settings).map(([key, value]) =>
    AT_TOP.includes(key) && !Object.hasOwn(own, key)
      ? { path: [key], value: Array.isArray(value) ? value.join(', ') : value }
      : { path: ['council', key], value },
  );
  const block = cutFrontMatter(readable);
  const yaml = edits.length === 0 ? (block?.yaml ?? '') : editYaml(block?.yaml ?? '', edits);
  const below = persona === undefined ? body : `\n${persona.trim()}\n`;
  const after =
    block && persona === undefined ? readable.slice(block.start + block.yaml.length) : `---\n${below}`;
  return `${block ? readable.slice(0, block.start) : '---\n'}${yaml}${after}`;
}

/** The path of a value and its new value; undefined deletes the key. */
interface YamlEdit {
  path: readonly string[];
  value: unknown;
}

/** Applies edits to YAML that is known to be valid. */
function editYaml(source: string, edits: readonly YamlEdit[]): string {
  const isCrLf = source.includes('\r\n');
  const document = parseDocument(source.replace(/\r\n?/g, '\n'), YAML);
  for (const { path, value } of edits) {
    if (value === undefined) {
      if (document.hasIn(path)) document.deleteIn(path);
      continue;
    }
    for (let depth = 1; depth < path.length; depth++)
      if (!isMap(document.getIn(path.slice(0, depth))))
        document.setIn(path.slice(0, depth), document.createNode({}));
    const node = document.createNode(value);
    if (isSeq(node)) node.flow = true;
    const before = document.getIn(path, true);
    if (isScalar(before) && before.comment) node.comment = before.comment;
    document.setIn(path, node);
  }
  const text = document.toString({ lineWidth: 0, singleQuote: true, flowCollectionPadding: false });
  return isCrLf ? text.replaceAll('\n', '\r\n') : text;
}
