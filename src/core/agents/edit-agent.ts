// Changes settings in an agent's file: the rest of the text, comments and order stay.
import { isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { cutFrontMatter } from '../base/front-matter-block.ts';
import { readAgentFile } from './agent-front-matter.ts';
import { isMapping } from './front-matter-fields.ts';
import { YAML } from '../base/yaml.ts';

/** New values by key; undefined takes a key away. `persona` is the text below the settings. */
interface AgentChanges {
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

/** Where a value stands, and the new one; undefined takes the key away. */
interface YamlEdit {
  path: readonly string[];
  value: unknown;
}

/** The text with its edits. It has been read without faults before. */
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
