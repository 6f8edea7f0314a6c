import { join } from 'node:path';
import { root } from '@fixpoint/dev-stack/env.ts';
import { cruise, format, type ICruiseResult } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { type BoundaryRule, deadRules } from './boundary-rules.ts';
import { sources } from './files.ts';

/* Imports keep to `.dependency-cruiser.js`, and each of its rules still has files to speak of. */

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
