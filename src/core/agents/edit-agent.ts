// Changes settings in an agent's file: the rest of the text, comments and order stay.
import { cutFrontMatter } from '../base/front-matter-block.ts';
import { editYaml } from '../base/yaml-edit.ts';
import { readAgentFile } from './agent-front-matter.ts';
import { isMapping } from './front-matter-fields.ts';

/** New values by key; undefined takes a key away. `persona` is the text below the settings. */
export interface AgentChanges {
  settings: Readonly<Record<string, unknown>>;
  persona?: string | undefined;
}

/** Keys that Claude Code knows as well stand at the top, unless the file has them below `council:`. */
const AT_TOP = ['description', 'model', 'tools'];

/** The file with its changes. Throws `invalid_agent` for one that cannot be read. */
export function editAgent(text: string, path: string, { settings, persona }: AgentChanges): string {
  const { data, body, readable } = readAgentFile(text, path);
  const own = isMapping(data.council) ? data.council : {};
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
