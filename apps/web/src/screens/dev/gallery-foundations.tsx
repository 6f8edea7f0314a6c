import * as icons from '@fixpoint/ui/icons.tsx';
import { Cluster, Grid, Section, Stack } from '@fixpoint/ui/layout.tsx';
import { Logo, LogoMark } from '@fixpoint/ui/logo.tsx';
import * as topicIcons from '@fixpoint/ui/topic-icons.tsx';
import css from './gallery.module.css';
import { Sample } from './gallery-parts.tsx';

const colours = [
  'canvas surface raised sunken line edge ink ink-muted',
  'indigo indigo-strong indigo-line indigo-soft focus action action-hover point',
  'good good-soft warn warn-soft bad bad-soft bad-fill',
];

const texts = [
  {
    lang: 'en',
    name: 'English',
    title: 'One address that stays yours',
    body: 'A fixed IP address in the region you choose. No logs, no limits, up to ten devices.',
  },
  {
    lang: 'th',
    name: 'ไทย',
    title: 'ที่อยู่ไอพีเดียวที่เป็นของคุณ',
    body: 'ที่อยู่ไอพีคงที่ในภูมิภาคที่คุณเลือก ไม่เก็บบันทึก ไม่จำกัดแบนด์วิดท์ ใช้ได้สูงสุดสิบอุปกรณ์',
  },
  {
    lang: 'km',
    name: 'ខ្មែរ',
    title: 'អាសយដ្ឋាន IP តែមួយដែលជារបស់អ្នក',
    body: 'អាសយដ្ឋាន IP ថេរក្នុងតំបន់ដែលអ្នកជ្រើសរើស។ គ្មានកំណត់ត្រា គ្មានដែនកំណត់ ប្រើបានដប់ឧបករណ៍។',
  },
  {
    lang: 'my',
    name: 'မြန်မာ',
    title: 'သင့်အတွက်သာ အမြဲရှိနေသော လိပ်စာ',
    body: 'သင်ရွေးချယ်သော ဒေသတွင် ပုံသေ IP လိပ်စာ။ မှတ်တမ်းမသိမ်း၊ အကန့်အသတ်မရှိ၊ စက်ဆယ်လုံးအထိ သုံးနိုင်သည်။',
  },
  {
    lang: 'lo',
    name: 'ລາວ',
    title: 'ທີ່ຢູ່ IP ດຽວທີ່ເປັນຂອງທ່ານ',
    body: 'ທີ່ຢູ່ IP ຄົງທີ່ໃນພາກພື້ນທີ່ທ່ານເລືອກ. ບໍ່ເກັບບັນທຶກ, ບໍ່ຈຳກັດ, ໃຊ້ໄດ້ເຖິງສິບອຸປະກອນ.',
  },
  {
    lang: 'hi',
    name: 'हिन्दी',
    title: 'एक पता जो आपका ही रहता है',
    body: 'आपके चुने हुए क्षेत्र में एक स्थिर IP पता। कोई लॉग नहीं, कोई सीमा नहीं, दस उपकरणों तक।',
  },
  {
    lang: 'vi',
    name: 'Tiếng Việt',
    title: 'Một địa chỉ luôn thuộc về bạn',
    body: 'Địa chỉ IP cố định tại khu vực bạn chọn. Không lưu nhật ký, không giới hạn, tối đa mười thiết bị.',
  },
  {
    lang: 'zh-Hans-CN',
    name: '简体中文',
    title: '一个始终属于您的地址',
    body: '在您选择的地区拥有固定 IP 地址。不记录日志，不限流量，最多十台设备。',
  },
  {
    lang: 'ja',
    name: '日本語',
    title: 'ずっと変わらない、あなたのアドレス',
    body: 'お選びの地域で固定IPアドレスを。ログなし、制限なし、最大10台まで。',
  },
  {
    lang: 'ko',
    name: '한국어',
    title: '언제나 당신의 것인 하나의 주소',
    body: '선택한 지역의 고정 IP 주소. 로그 없음, 제한 없음, 최대 열 대의 기기까지.',
  },
  {
    lang: 'id-ID',
    name: 'Indonesia',
    title: 'Satu alamat yang tetap milik Anda',
    body: 'Alamat IP tetap di wilayah pilihan Anda. Tanpa log, tanpa batas, hingga sepuluh perangkat.',
  },
  {
    lang: 'ms-MY',
    name: 'Melayu',
    title: 'Satu alamat yang kekal milik anda',
    body: 'Alamat IP tetap di wilayah pilihan anda. Tiada log, tiada had, sehingga sepuluh peranti.',
  },
  {
    lang: 'fil-PH',
    name: 'Filipino',
    title: 'Isang address na mananatiling iyo',
    body: 'Fixed na IP address sa rehiyong pinili mo. Walang log, walang limitasyon, hanggang sampung device.',
  },
];

const scripts: Record<string, string> = {
  th: '"Noto Sans Thai"',
  km: '"Noto Sans Khmer"',
  my: '"Noto Sans Myanmar"',
  lo: '"Noto Sans Lao"',
  hi: '"Noto Sans Devanagari"',
};

/** Colours, type in every script, icons, the logo. */
export function Foundations() {
  return (
    <>
      <Section title="Mark">
        <Cluster gap={8}>
          <Logo name="Fixpoint" />
          <LogoMark size={16} />
          <LogoMark size={24} />
          <LogoMark size={48} />
          <LogoMark size={96} />
        </Cluster>
      </Section>
      <Section title="Colour">
        {colours.map(row => (
          <Grid key={row} min="7rem" gap={3}>
            {row.split(' ').map(name => (
              <div key={name} className={css.swatch}>
                <i style={{ background: `var(--${name})` }} />
                {name}
              </div>
            ))}
          </Grid>
        ))}
      </Section>
      <Section title="Type">
        <Stack gap={4}>
          <p className="display">Display 203.0.113.7</p>
          <h1>Headline of a page</h1>
          <h2>Headline of a section</h2>
          <h3>Headline of a part</h3>
          <p className="lead">Lead. A fixed IP address in the region you choose, for all your devices.</p>
          <p>
            Body. Choose a plan, pay, get the file, connect. <a href="#/en/_ui">A link in a sentence</a>,
            something <strong>strong</strong>, and an address <span className="mono">203.0.113.7</span>.
          </p>
          <p className="tabular">
            1,234.50 THB
            <br />
            9,111.10 THB
          </p>
          <p>
            <small className="muted">Small print: prices include 7 % VAT.</small>
          </p>
        </Stack>
      </Section>
      <Section title="Thirteen languages">
        <Grid min="20rem" gap={8}>
          {texts.map(text => (
            <div
              key={text.lang}
              lang={text.lang}
              style={
                scripts[text.lang] ? { fontFamily: `var(--font-latin), ${scripts[text.lang]}` } : undefined
              }
            >
              <Stack gap={2}>
                <p className="eyebrow">{text.name}</p>
                <h3>{text.title}</h3>
                <p>{text.body}</p>
              </Stack>
            </div>
          ))}
        </Grid>
      </Section>
      <Section title="Icons">
        <Sample name="Lucide, one stroke">
          <div className={css.icons}>
            {[...Object.entries(icons), ...Object.entries(topicIcons)].map(([name, Icon]) => (
              <span key={name}>
                <Icon size={24} />
                {name.slice(4)}
              </span>
            ))}
          </div>
        </Sample>
      </Section>
    </>
  );
}
