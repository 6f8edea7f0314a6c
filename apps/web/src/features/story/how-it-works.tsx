import { Steps } from '@fixpoint/ui/steps.tsx';
import { DeviceDrawing } from '../../shop/device-drawing.tsx';
import { useText } from '../../shop/texts.ts';

const steps = [
  { id: 'choose', frame: 'window' },
  { id: 'file', frame: 'window' },
  { id: 'connect', frame: 'phone' },
] as const;

/** From the plan to the tunnel in three steps. */
export function HowItWorks() {
  const t = useText();
  return (
    <Steps
      items={steps.map(({ id, frame }) => ({
        id,
        title: t(`home.step.${id}.title`),
        picture: <DeviceDrawing frame={frame} scene={id} />,
        content: <p>{t(`home.step.${id}.text`)}</p>,
      }))}
    />
  );
}
