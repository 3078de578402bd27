// Changes single values in YAML, and leaves everything else as it is written, comments and order included.
import { isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { YAML } from './yaml-schema.ts';

/** Where a value stands, and the new one; undefined takes the key away. */
export interface YamlEdit {
  path: readonly string[];
  value: unknown;
}

/** The text with its edits. It has been read without faults before. */
export function editYaml(source: string, edits: readonly YamlEdit[]): string {
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
