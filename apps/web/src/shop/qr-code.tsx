import { lazy, Suspense } from 'react';

const Drawn = lazy(() => import('./qr-drawing.tsx').then(module => ({ default: module.QrDrawing })));

/** A QR code, `size` pixels wide, always dark on white with its quiet zone (U43). The encoder loads when used. */
export function QrCode({ value, label, size = 192 }: { value: string; label: string; size?: number }) {
  return (
    <div style={{ width: size, maxWidth: '100%', aspectRatio: '1' }}>
      <Suspense fallback={null}>
        <Drawn value={value} label={label} />
      </Suspense>
    </div>
  );
}
