import { lazyPart } from './lib/lazy-part.tsx';

const Drawn = lazyPart(async () => (await import('./qr-drawing.tsx')).QrDrawing);

/**
 * A QR code, `size` pixels wide, always dark on white with its quiet zone. The encoder is loaded on
 * first use.
 */
export function QrCode({ value, label, size = 192 }: { value: string; label: string; size?: number }) {
  return (
    <div style={{ width: size, maxWidth: '100%', aspectRatio: '1' }}>
      <Drawn value={value} label={label} />
    </div>
  );
}
