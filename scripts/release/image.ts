import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';
import { processorOf } from '../debian-tree.ts';
import { debianBase, USER } from './image-base.ts';

const run = promisify(execFile);
const program = '/usr/lib/fixpoint';
const settings = '/etc/fixpoint/fixpoint.env';
const MEDIA = 'application/vnd.oci.image';

/** A blob as a manifest names it. */
type Blob = { mediaType: string; digest: string; size: number };

/**
 * Builds the OCI image of the shop from its Debian package: Debian's base, and the package's files. Both are tar files with the
 * times of the commit, and the image is written by hand, so that the same package and base give the same bytes.
 * @param folder for the image
 * @param deb the package of the shop
 * @param arch whose package it is, as Node or Debian names it
 * @returns path of the image, which `podman load` and `docker load` read
 * @throws StartError without mmdebstrap or the rights that it needs
 */
export async function packageImage(
  folder: string,
  deb: string,
  arch: string,
  { version, epoch }: { version: string; epoch: number },
): Promise<string> {
  const { architecture } = processorOf(arch);
  const work = await mkdtemp(join(folder, 'image-'));
  const layout = join(work, 'layout');
  const blobs = join(layout, 'blobs/sha256');
  try {
    await mkdir(blobs, { recursive: true });
    const base = join(work, 'base.tar');
    await debianBase(base, architecture, epoch);
    const files = join(work, 'program.tar');
    await run('sh', ['-c', 'dpkg-deb --fsys-tarfile "$0" > "$1"', deb, files]);
    const layers = [await layerOf(base, blobs), await layerOf(files, blobs)];
    const created = new Date(epoch * 1000).toISOString();
    const config = await jsonBlob(blobs, 'config.v1+json', {
      created,
      architecture,
      os: 'linux',
      config: {
        User: `${USER}:${USER}`,
        WorkingDir: program,
        Env: [
          'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
          ...['NODE_ENV=production', 'DATA_DIR=/var/lib/fixpoint', 'HOST=0.0.0.0', 'AGENT_HOST=0.0.0.0'],
        ],
        Cmd: [`${program}/node`, `--env-file=${settings}`, `${program}/bundle/main.mjs`],
        ExposedPorts: { '8080/tcp': {} },
        Volumes: { '/var/lib/fixpoint': {} },
        Labels: { 'org.opencontainers.image.title': 'Fixpoint', 'org.opencontainers.image.version': version },
      },
      rootfs: { type: 'layers', diff_ids: layers.map(({ plain }) => plain) },
      history: ['Debian', 'Fixpoint'].map(by => ({ created, created_by: by })),
    });
    const manifest = await jsonBlob(blobs, 'manifest.v1+json', {
      schemaVersion: 2,
      mediaType: `${MEDIA}.manifest.v1+json`,
      config,
      layers: layers.map(({ blob }) => blob),
    });
    const name = `localhost/fixpoint:${version}`;
    // The names under which podman and docker load it.
    const annotations = { 'org.opencontainers.image.ref.name': name, 'io.containerd.image.name': name };
    const index = { schemaVersion: 2, manifests: [{ ...manifest, annotations }] };
    await writeFile(join(layout, 'index.json'), JSON.stringify(index));
    await writeFile(join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
    const image = join(folder, `fixpoint_${version}_${architecture}.oci.tar`);
    const same = ['--sort=name', `--mtime=@${epoch}`, '--owner=0', '--group=0', '--numeric-owner'];
    await run('tar', [...same, '--format=ustar', '--mode=u=rwX,go=rX', '-C', layout, '-cf', image, '.']);
    return image;
  } finally {
    await rm(work, { recursive: true });
  }
}

/** Compresses a layer into its blob. @returns also the digest of its plain form, which the configuration names */
async function layerOf(file: string, blobs: string): Promise<{ plain: string; blob: Blob }> {
  const [plain, packed] = [createHash('sha256'), createHash('sha256')];
  const to = `${file}.gz`;
  const counted = (hash: ReturnType<typeof createHash>) =>
    async function* (source: AsyncIterable<Buffer>) {
      for await (const part of source) {
        hash.update(part);
        yield part;
      }
    };
  await pipeline(
    createReadStream(file),
    counted(plain),
    createGzip({ level: 6 }),
    counted(packed),
    createWriteStream(to),
  );
  const digest = packed.digest('hex');
  const { size } = await stat(to);
  await rename(to, join(blobs, digest));
  return {
    plain: `sha256:${plain.digest('hex')}`,
    blob: { mediaType: `${MEDIA}.layer.v1.tar+gzip`, digest: `sha256:${digest}`, size },
  };
}

async function jsonBlob(blobs: string, kind: string, value: object): Promise<Blob> {
  const text = JSON.stringify(value);
  const digest = createHash('sha256').update(text).digest('hex');
  await writeFile(join(blobs, digest), text);
  return { mediaType: `${MEDIA}.${kind}`, digest: `sha256:${digest}`, size: Buffer.byteLength(text) };
}
