import type { ReactNode } from 'react';
import css from './device-drawing.module.css';

export type DeviceFrame = 'window' | 'terminal' | 'phone';
export type DeviceScene = 'choose' | 'install' | 'file' | 'connect';

/** Outlines of devices, without the marks of any maker. */
const frames: Record<DeviceFrame, ReactNode> = {
  window: (
    <>
      <rect x="20" y="12" width="200" height="132" rx="10" />
      <path d="M20 36H220" />
      <path className={css.dots} d="M34 24h.01M46 24h.01M58 24h.01" />
    </>
  ),
  terminal: (
    <>
      <rect x="20" y="12" width="200" height="132" rx="10" />
      <path d="M20 36H220" />
      <path className={css.dots} d="M34 24h.01M46 24h.01M58 24h.01" />
      <path className={css.strong} d="m36 52 7 6-7 6M48 66h14" />
    </>
  ),
  phone: (
    <>
      <rect x="78" y="6" width="84" height="144" rx="14" />
      <path d="M112 18h16M108 140h24" />
    </>
  ),
};

/** What happens on the device, in the middle of every frame. */
const scenes: Record<DeviceScene, ReactNode> = {
  choose: (
    <>
      <path d="M36 62h40v58H36zM164 62h40v58h-40zM46 76h20M46 88h12M174 76h20M174 88h12" />
      <path className={css.strong} d="M94 54h52v74H94zM106 70h28M106 82h16" />
      <circle className={css.point} cx="120" cy="108" r="7" />
    </>
  ),
  install: (
    <>
      <path className={css.strong} d="M120 58v36M106 81l14 14 14-14" />
      <path d="M92 102v12h56v-12" />
    </>
  ),
  file: (
    <>
      <path className={css.strong} d="M101 52h26l14 14v56h-40zM127 52v14h14" />
      <circle cx="115" cy="96" r="6" />
      <path d="M121 96h12M129 96v6" />
    </>
  ),
  connect: (
    <>
      <path d="M104 116c8-8 24-8 32 0M97 60c12-9 34-9 46 0" />
      <rect className={css.strong} x="96" y="74" width="48" height="28" rx="14" />
      <circle className={css.point} cx="130" cy="88" r="9" />
    </>
  ),
};

/** Cropped, so that a phone aligns with its column like a window does. */
const viewBoxes: Record<DeviceFrame, string> = {
  window: '19 5 202 146',
  terminal: '19 5 202 146',
  phone: '77 5 86 146',
};

/** Drawing of a step on a device; decorative beside text, so hidden from screen readers. */
export function DeviceDrawing({ frame, scene }: { frame: DeviceFrame; scene: DeviceScene }) {
  return (
    <svg className={css.device} viewBox={viewBoxes[frame]} aria-hidden="true">
      {frames[frame]}
      {scenes[scene]}
    </svg>
  );
}
