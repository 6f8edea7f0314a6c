import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/**
 * Parses the arguments of a benchmark. Prints the usage and exits for `--help`, with 64 for arguments that it does not know.
 * Runs after all imports of the benchmark, so that `--help` proves that it loads.
 * @param usage text after `npm run bench --`
 * @param most maximum number of positional arguments
 */
export function readArguments<const O extends ParseArgsOptionsConfig>(
  usage: string,
  most: number,
  options: O,
) {
  const help = `Usage: npm run bench -- ${usage}\n`;
  if (process.argv.includes('--help')) {
    process.stdout.write(help);
    process.exit(0);
  }
  try {
    const read = parseArgs({ options, allowPositionals: true });
    const more = read.positionals[most];
    if (more !== undefined) throw new Error(`Unexpected argument "${more}".`);
    return read;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${help}`);
    process.exit(64);
  }
}
