import { Badge } from '@fixpoint/ui/badge.tsx';
import { Button, IconButton, LinkButton } from '@fixpoint/ui/button.tsx';
import { Checkbox } from '@fixpoint/ui/checkbox.tsx';
import { CodeField } from '@fixpoint/ui/code-field.tsx';
import { ErrorSummary } from '@fixpoint/ui/error-summary.tsx';
import { Form, FormActions } from '@fixpoint/ui/form.tsx';
import { Cluster, Grid, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { PasswordField } from '@fixpoint/ui/password-field.tsx';
import { RadioCards } from '@fixpoint/ui/radio-cards.tsx';
import { Select } from '@fixpoint/ui/select.tsx';
import { TextField } from '@fixpoint/ui/text-field.tsx';
import { IconChevronRight, IconDownload, IconPlus, IconTrash } from '@fixpoint/ui/topic-icons.tsx';
import { parseCode } from '@fixpoint/web-client/forms/parse-code.ts';
import { useState } from 'react';
import { longWord, noop, Sample } from './gallery-parts.tsx';

const regions = [
  { value: 'sg', label: 'Singapore' },
  { value: 'th', label: 'Bangkok' },
  { value: 'jp', label: 'Tokyo (sold out)', disabled: true },
];

function Buttons() {
  const variants = ['primary', 'secondary', 'quiet', 'danger'] as const;
  return (
    <Section title="Buttons">
      {variants.map(variant => (
        <Sample key={variant} name={variant}>
          <Cluster>
            <Button variant={variant}>Continue</Button>
            <Button variant={variant} icon={<IconDownload />}>
              Download
            </Button>
            <Button variant={variant} busy>
              Sending
            </Button>
            <Button variant={variant} disabled>
              Disabled
            </Button>
            <Button variant={variant} size="s">
              Small
            </Button>
            <Button variant={variant} size="l" iconEnd={<IconChevronRight />}>
              Large
            </Button>
          </Cluster>
        </Sample>
      ))}
      <Sample name="link, icon, block, long">
        <Cluster>
          <LinkButton href="#/en/_ui" variant="primary">
            A link
          </LinkButton>
          <IconButton label="Add" icon={<IconPlus />} />
          <IconButton label="Delete" icon={<IconTrash />} size="s" />
          <IconButton label="Delete, not allowed" icon={<IconTrash />} disabled />
        </Cluster>
        <div style={{ maxWidth: '20rem' }}>
          <Button variant="primary" block icon={<IconDownload />}>
            Pay 12,345.60 THB for twelve months in the region of your choice
          </Button>
        </div>
      </Sample>
    </Section>
  );
}

function Fields() {
  const [code, setCode] = useState('0421');
  return (
    <Section title="Fields">
      <Grid min="19rem" gap={8}>
        <TextField
          label="Email"
          name="g-email"
          type="email"
          hint="We’ll send your receipt there."
          autoComplete="email"
        />
        <TextField
          label="Email"
          name="g-email2"
          defaultValue="somebody@"
          error="Please enter a valid email."
        />
        <TextField label="Company" optional="optional" disabled defaultValue="Not now" />
        <TextField label="IP address" mono readOnly defaultValue="203.0.113.7" />
        <TextField label="Rate" suffix="Mbit/s" width="s" inputMode="numeric" defaultValue="250" />
        <TextField label="Price" prefix="THB" defaultValue="1,234.50" placeholder="0.00" />
        <PasswordField
          label="New password"
          name="g-password"
          hint="At least 8 characters with numbers, letters and special characters (@$!%*?&)."
          autoComplete="new-password"
          showLabel="Show"
          hideLabel="Hide"
          defaultValue="correct horse"
        />
        <Select label="Region" options={regions} placeholder="Please choose" />
        <Select
          label="Region"
          options={regions}
          error="Please choose a region."
          defaultValue=""
          placeholder="Choose"
        />
        <CodeField
          label="Code"
          name="g-code"
          parse={parseCode}
          hint="Six digits, sent to your email."
          value={code}
          onChange={setCode}
        />
        <CodeField
          label="Code"
          name="g-code2"
          parse={parseCode}
          value="004217"
          onChange={noop}
          error="You've entered incorrect code."
        />
      </Grid>
    </Section>
  );
}

function Choices() {
  const [cycle, setCycle] = useState<string>('12');
  const [method, setMethod] = useState<string>('card');
  return (
    <Section title="Choices">
      <Grid min="19rem" gap={8}>
        <Stack>
          <Checkbox
            label={
              <>
                I agree to the <a href="#/en/_ui">terms of service</a> and the{' '}
                <a href="#/en/_ui">privacy policy</a>.
              </>
            }
          />
          <Checkbox label="Remember this device" defaultChecked hint="Not on a computer that others use." />
          <Checkbox label="You must agree" error="Please accept the terms." />
          <Checkbox label="Not available" disabled />
          <Checkbox label="Always on" disabled defaultChecked />
        </Stack>
      </Grid>
      <RadioCards
        legend="How long?"
        name="g-cycle"
        columns={3}
        value={cycle}
        onChange={setCycle}
        options={[
          { value: '1', title: '1 month', detail: '350.00 THB per month', aside: '350.00' },
          { value: '6', title: '6 months', detail: '300.00 THB per month', aside: '1,800.00' },
          {
            value: '12',
            title: '12 months',
            detail: '250.00 THB per month',
            aside: '3,000.00',
            badge: <Badge>Save 28 %</Badge>,
          },
        ]}
      />
      <div style={{ maxWidth: '32rem' }}>
        <RadioCards
          legend="Payment method"
          name="g-method"
          value={method}
          onChange={setMethod}
          error="Please choose how to pay."
          options={[
            { value: 'card', title: 'Card', detail: 'Visa, Mastercard, JCB', icon: <IconDownload /> },
            { value: 'paypal', title: 'PayPal' },
            { value: 'bitcoin', title: 'Bitcoin', detail: 'Not available for this plan', disabled: true },
          ]}
        />
      </div>
    </Section>
  );
}

function WholeForm() {
  const [attempt, setAttempt] = useState(0);
  const [busy, setBusy] = useState(false);
  const errors = [
    { id: 'g-sum-email', text: 'Please enter email.' },
    { id: 'g-sum-name', text: 'Only letters, digits, underscore, dot, hyphen.' },
  ];
  return (
    <Section title="A form, refused">
      <div style={{ maxWidth: 'var(--width-form)' }}>
        <Form busy={busy} onSubmit={() => setAttempt(attempt + 1)}>
          {attempt > 0 && <ErrorSummary title="There is a problem" errors={errors} attempt={attempt} />}
          <TextField label="Email" id="g-sum-email" error={attempt > 0 ? errors[0]!.text : undefined} />
          <TextField
            label="Key name"
            id="g-sum-name"
            mono
            defaultValue={longWord}
            error={attempt > 0 ? errors[1]!.text : undefined}
          />
          <FormActions>
            <Button type="submit" variant="primary" busy={busy}>
              Submit to see the errors
            </Button>
            <Button onClick={() => setBusy(!busy)}>Toggle busy</Button>
          </FormActions>
        </Form>
      </div>
    </Section>
  );
}

/** Form components. */
export function FormSamples() {
  return (
    <>
      <Buttons />
      <Fields />
      <Choices />
      <WholeForm />
    </>
  );
}
