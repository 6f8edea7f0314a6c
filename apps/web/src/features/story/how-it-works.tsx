import { useText } from '../../shop/texts.ts';
import { DeviceDrawing } from '../../ui/drawings/device.tsx';
import { Steps } from '../../ui/steps.tsx';

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
