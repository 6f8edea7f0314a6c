import { join } from 'node:path';
import { root } from '@fixpoint/dev-stack/env.ts';
import { cruise, format, type ICruiseResult } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { type BoundaryRule, deadRules } from './boundary-rules.ts';
import { sources } from './files.ts';

/* Checks imports against `.dependency-cruiser.js`, and that each of its patterns matches a file. */

const options = await extractOptions(join(root, '.dependency-cruiser.js'));
const result = (await cruise(sources, options)).output as ICruiseResult;
const { output, exitCode } = await format(result, { outputType: 'err-long' });
console.log(output);

const dead = deadRules(
  (options.ruleSet?.forbidden ?? []) as BoundaryRule[],
  result.modules.map(({ source }) => source),
);
for (const problem of dead) console.error(problem);
if (exitCode > 0 || dead.length > 0) process.exit(1);
