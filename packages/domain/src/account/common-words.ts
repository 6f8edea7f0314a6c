/**
 * Words that head every published list of leaked passwords, and those of this trade: what a guesser tries first, with
 * the usual decorations. Lower case, one space apart.
 */
export const commonWords = `
password passwort passw passwd pass passcode contrasena senha motdepasse parola admin administrator root user guest
login logon welcome willkommen bienvenue hello hallo hola test testing tester demo sample example temp temporary
default change changeme secret geheim private access letmein open opensesame trustno trust master super superman
superuser manager boss office company business security secure system server computer laptop internet network
wireless router windows microsoft apple google android iphone samsung facebook instagram youtube twitter whatsapp
linkedin amazon netflix spotify paypal bitcoin money dollar cash bank rich lucky winner gold golden silver diamond
love lovely loveme iloveyou iloveu mylove sweet sweetheart honey baby babygirl babyboy darling angel princess prince
queen king kingdom flower rose daisy lily sunshine sunny summer winter spring autumn season january february march
april may june july august september october november december monday tuesday wednesday thursday friday saturday
sunday weekend holiday birthday christmas easter happy smile funny family mother father mommy daddy sister brother
friend friends friendship forever together always never nothing something anything whatever freedom liberty peace
hope faith grace heaven jesus christ blessed god buddha ganesh krishna shiva allah muslim islam church bible dragon
tiger lion panther eagle falcon hawk monkey donkey horse pony dog doggy puppy cat kitty kitten rabbit bunny turtle
dolphin shark spider butterfly elephant panda bear wolf fox mustang ferrari porsche mercedes bmw audi toyota honda
yamaha harley corvette camaro chevy ford jaguar football soccer baseball basketball hockey tennis golf rugby cricket
boxing racing running swimming arsenal chelsea liverpool manchester united barcelona barca realmadrid madrid milan
juventus bayern ronaldo messi jordan kobe lakers yankees cowboys steelers eagles packers raiders ranger rangers
warrior warriors knight knights samurai ninja pirate viking hunter killer shadow ghost phantom demon devil satan hell
vampire zombie wizard magic merlin gandalf hobbit matrix starwars skywalker yoda vader startrek batman spiderman
ironman avengers marvel pokemon pikachu naruto goku mario zelda minecraft fortnite roblox callofduty counterstrike
doom quake warcraft diablo gamer player games playstation xbox nintendo music guitar piano drums rockstar metallica
nirvana slipknot eminem beatles elvis michael jackson jennifer jessica ashley amanda nicole melissa michelle
stephanie elizabeth victoria charlotte sophie sophia emma olivia isabella maria anna laura sarah rachel rebecca
samantha alexander alexandra alex andrew anthony benjamin charles charlie christian christopher daniel david
dominic edward eric ethan george harry henry jack jacob james jason jeremy john johnny jonathan joseph joshua justin
kevin lucas marcus mark martin matthew max maxwell mike nathan nicholas oliver oscar patrick paul peter phillip
richard robert robin ryan samuel scott sebastian simon stephen steven thomas timothy tyler victor vincent william
zachary chocolate cookie cookies cherry strawberry banana orange lemon apple peach pepper ginger cinnamon sugar
coffee pizza burger cheese butter chicken bacon water fire earth wind storm thunder lightning snow rain rainbow
cloud star stars moon galaxy universe planet ocean river mountain forest island beach paradise travel america
american england london paris france germany berlin deutschland canada mexico brazil brasil espana india mumbai
delhi china beijing hongkong taiwan japan tokyo osaka korea seoul thailand bangkok phuket vietnam hanoi saigon
indonesia jakarta malaysia singapore manila philippines pilipinas cambodia khmer laos myanmar burma australia
sydney africa russia moscow purple yellow orange green blue black white red pink silver brown crimson scarlet
blackout midnight daylight school college university student teacher doctor nurse police soldier army navy marine
captain general major sergeant agent hacker coder developer engineer apache ubuntu debian linux docker oracle
database mysql postgres postgresql openvpn vpn vpnuser wireguard proxy tunnel account subscription customer fixpoint
staticip fixedip myvpn freevpn vpnaccess nopassword mypassword newpassword oldpassword yourpassword thepassword
passwordd passwords letmeinnow iamtheone ihateyou fuckyou fuckme fuck shit asshole bitch sexy sexygirl hottie playboy
pussy dick penis porn hardcore blowjob lover cutie beauty beautiful handsome rock roll rocknroll freebird metal punk
jazz blues dance dancer disco party beer vodka whiskey tequila marijuana cannabis smoke smoker snoopy garfield mickey
minnie donald tigger winnie pooh bambi simba nemo shrek scooby spongebob barney elmo hellokitty barbie lego tweety
`;

/** Rows and columns of the keyboard, counting, the alphabet. */
export const keyboardWalks = `
qwer qwert qwerty qwertz azerty qwertyu qwertyui qwertyuiop asdf asdfg asdfgh asdfghj asdfghjk asdfghjkl zxcv zxcvb
zxcvbn zxcvbnm qaz wsx edc qazwsx qazwsxedc wsxedc 1qaz 2wsx 3edc 1qaz2wsx zaq zaq1 xsw2 zaq12wsx 1q2w 1q2w3e 1q2w3e4r
1q2w3e4r5t q1w2 q1w2e3 q1w2e3r4 q1w2e3r4t5 a1s2 a1s2d3 a1s2d3f4 1a2s3d 1a2s3d4f qwe qweasd qweasdzxc asd asdqwe zxc
asdzxc 123qwe 1234qwer qwe123 qwer1234 asd123 asdf1234 zxc123 123asd 123abc abc abcd abcde abcdef abcdefg abcdefgh
aabb aabbcc aaabbb abc123 abcd1234 a1b2 a1b2c3 a1b2c3d4 1a2b3c 1a2b3c4d xyz xxx zzz aaa aa a
`;
