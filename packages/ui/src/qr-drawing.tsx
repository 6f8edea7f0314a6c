import { encode } from 'uqr';

/** Cameras need four modules of white around the code (ISO/IEC 18004). */
const quietZone = 4;

export function QrDrawing({ value, label }: { value: string; label: string }) {
  const { data, size } = encode(value, { ecc: 'M', border: quietZone });
  const dark = data.flatMap((row, y) => row.map((on, x) => (on ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <rect width={size} height={size} rx="1.5" fill="#fff" />
      <path d={dark} fill="#1a1735" />
    </svg>
  );
}
