// `npm run lint`: types and rules. Many rules ask for types; here TypeScript works these out once for both.
import { dirname, join } from 'node:path';
import { ESLint } from 'eslint';
import ts from 'typescript';

const root = dirname(import.meta.dirname);
const programs = ['.', 'src/server/http/script'].map(readProgram);
const wrongTypes = programs.flatMap((program) => ts.getPreEmitDiagnostics(program));
const eslint = new ESLint({
  cwd: root,
  overrideConfig: {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { projectService: false, programs } },
  },
});
const results = await eslint.lintFiles('.');
const { format } = await eslint.loadFormatter();
process.stdout.write(
  ts.formatDiagnostics(wrongTypes, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => root,
    getNewLine: () => '\n',
  }) + (await format(results)),
);
const isClean = results.every(({ errorCount, warningCount }) => errorCount + warningCount === 0);
process.exitCode = wrongTypes.length === 0 && isClean ? 0 : 1;

function readProgram(folder: string): ts.Program {
  const path = join(root, folder, 'tsconfig.json');
  const config = ts.parseJsonConfigFileContent(
    ts.readConfigFile(path, ts.sys.readFile).config,
    ts.sys,
    dirname(path),
    undefined,
    path,
  );
  return ts.createProgram({
    rootNames: config.fileNames,
    options: config.options,
    configFileParsingDiagnostics: config.errors,
  });
}
