import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/**
 * What a bench was asked for. With `--help` it says how it is asked and ends; where it does not understand, too, with 64.
 * Read after all that a bench needs has been loaded: so its test knows that it is all there.
 * @param usage what stands behind `npm run bench --`
 * @param most how many words without a name it takes
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
    if (more !== undefined) throw new Error(`It does not know what "${more}" is.`);
    return read;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${help}`);
    process.exit(64);
  }
}
