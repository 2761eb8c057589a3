/**
 * Words that people use for the same thing, one group per line: general knowledge about what tools do, never the name of a tool or
 * a service. A word may stand in several groups; words of one group are not synonyms of words of another.
 */
import { toStem } from './stem.ts';

const groups = `
create add new make insert generate compose open
create schedule book arrange plan organize
delete remove erase destroy drop trash discard clear
update edit modify change alter adjust revise patch
rename title name label
read get fetch retrieve view show see display look open
find search lookup query locate discover seek browse
list enumerate all overview show
send deliver dispatch submit forward
post publish share tweet announce
message chat dm conversation text
run execute launch start trigger invoke perform
stop cancel abort terminate halt kill end
pause suspend hold freeze
copy duplicate clone replicate
move transfer migrate relocate
merge combine join unite
upload attach put store save
download export pull save
compare difference diff versus
check verify validate inspect examine test
fix repair solve resolve correct debug
reply respond answer
assign allocate delegate
approve accept confirm
reject decline deny refuse
invite add member
close resolve finish complete done
summarize summary digest brief abstract
translate translation language convert
explain describe detail information info
recommend suggest propose advise advice recommendation
monitor watch track observe follow
calculate compute math arithmetic equation calculator
measure metric statistic analytics analysis performance
email mail inbox gmail outlook
sms text message texting
phone telephone mobile cell
call ring dial voice
contact person people customer lead
user account member profile person
team group organization department
colleague coworker teammate employee staff
customer client buyer shopper
calendar agenda schedule diary
event meeting appointment booking
meeting conference call
reminder alert notification notify alarm
task todo ticket issue item assignment
bug issue defect error problem crash
ticket case request support
comment note remark reply annotation feedback
project workspace board initiative
sprint iteration cycle
milestone deadline due
file document attachment
folder directory
document doc page paper text
spreadsheet sheet workbook excel table csv
presentation slide deck powerpoint slideshow
pdf document file
note memo page notebook
wiki page knowledge article documentation
documentation docs guide manual reference
picture image photo photograph illustration drawing logo graphic
video movie film clip youtube
audio sound music song podcast voice
music song track playlist album artist lyric
chart graph plot diagram visualization visualize
diagram flowchart mindmap sketch
screenshot capture snapshot screen
website site web page webpage url
link url address hyperlink
browser web page tab
scrape crawl extract parse
click press tap
navigate visit go browse
form field input
repository repo project codebase
branch ref
commit change revision
pull merge pr request
push upload
issue ticket bug
release version tag
pipeline build workflow ci job
deploy release publish ship rollout
code program script source software snippet
function method procedure lambda
library package module dependency framework
server machine host vm instance droplet
container docker pod
cluster kubernetes k8s
database db sql table
query sql select
table collection sheet
record row entry item
column field attribute property
schema structure model
index vector embedding
domain dns hostname
certificate ssl tls
network vpc subnet
firewall security rule
backup snapshot archive
log logs trace event history
error exception failure crash bug
metric monitor performance usage
memory ram
disk volume storage drive
bucket storage object s3
queue topic stream
cache redis
key secret token credential password
permission access role right
login signin authenticate auth
flag toggle feature switch
variable environment env setting
config configuration setting preference option
invoice bill billing receipt
payment pay charge transaction purchase
price cost rate fee quote
money currency cash fund dollar exchange
bank account balance
owe debt due balance outstanding receivable payable
enable activate switch
disable deactivate switch
tax vat
budget expense spending
invest investment stock share portfolio trading finance financial market
crypto cryptocurrency bitcoin coin nft blockchain token
product item goods merchandise
order purchase buy shopping
shop store shopping ecommerce retail
cart basket checkout
discount coupon deal voucher promo sale offer bargain
gift present
delivery shipping shipment parcel package
campaign marketing advertisement ad promotion
seo keyword ranking
survey poll questionnaire
news headline article journalism
weather forecast temperature rain climate
map location place address
direction route navigation way path
distance mile kilometer far
nearby near closest local around
restaurant food dining eat cuisine meal
recipe cook cooking ingredient meal dish
diet nutrition calorie health
travel trip journey vacation holiday tour
flight airline plane airport fly
hotel accommodation lodging stay room
car vehicle auto automobile
train railway bus transit transport
house home apartment property estate rental rent
job career employment hiring position vacancy work
resume cv
salary wage pay income
course class lesson training tutorial education learn
student pupil learner
teacher tutor instructor
school university college academic
research study paper publication scholarly academic
book novel reading literature
movie film cinema tv series show
game play gaming
sport football soccer basketball
team club league
joke humor funny
story tale fiction narrative
poem poetry verse
quote quotation saying
horoscope astrology zodiac tarot
dream interpretation
doctor physician medical health medicine
symptom illness disease condition
exercise workout fitness gym
medicine drug pill
law legal lawyer attorney contract
patent trademark
company business firm corporation organization enterprise
date day time
time timezone clock hour
today current now latest recent
password passphrase
random dice
qr barcode code
pet dog cat animal
child kid children
family genealogy ancestor
wear outfit fashion clothing clothes style dress
color colour palette
design layout style template
font typography
art artwork painting
language english grammar vocabulary word
dictionary definition meaning
speech voice speak talk
avatar character persona
prompt instruction
ai model llm chatbot assistant
bot chatbot agent
plugin extension addon
channel room
thread conversation discussion
reaction emoji
tag label category
status state condition
priority urgency importance
attachment file
draft compose
unread new
favorite star bookmark
history past previous log
archive old store
trend trending popular top
review rating opinion feedback
image vision photo
resize scale crop
convert transform change
format style
compress zip
split divide separate
sort order arrange
filter narrow
count number total amount
sum total add
average mean
`;

const related: ReadonlyMap<string, ReadonlySet<string>> = readGroups();

const none: ReadonlySet<string> = new Set();

/** Stems of the synonyms of a stem. */
export function synonymsOf(stem: string): ReadonlySet<string> {
  return related.get(stem) ?? none;
}

function readGroups(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const group of groups.trim().split('\n')) {
    const stems = [...new Set(group.split(' ').map(toStem))];
    for (const stem of stems) {
      const others = found.get(stem) ?? new Set();
      for (const other of stems) if (other !== stem) others.add(other);
      found.set(stem, others);
    }
  }
  return found;
}
