/** Common English forms that no ending explains, each line: the word, then its forms. Forms that are words of their own with another meaning are left out. */
const lines = `
arise arose arisen
awake awoke awoken
be am is are was were been
become became
begin began begun
bend bent
bite bit bitten
blow blew blown
break broke broken
bring brought
build built
buy bought
catch caught
child children
choose chose chosen
come came
creep crept
criterion criteria
deal dealt
die died dying
do did done does
draw drew drawn
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
fly flew flown
foot feet
forbid forbade forbidden
forget forgot forgotten
forgive forgave forgiven
freeze froze frozen
get got gotten
give gave given
go went gone goes
goose geese
grow grew grown
hang hung
have has had
hear heard
hide hid hidden
hold held
index indices
keep kept
know knew known
lead led
leave left
lend lent
life lives
lie lying
lose lost
make made
man men
matrix matrices
mean meant
meet met
mouse mice
pay paid
person people persons
phenomenon phenomena
ride rode ridden
ring rang rung
rise rose risen
run ran
say said
see saw seen
seek sought
sell sold
send sent
shake shook shaken
shine shone
shoot shot
show showed shown
shrink shrank shrunk
sing sang sung
sink sank sunk
sit sat
sleep slept
slide slid
speak spoke spoken
spend spent
spin spun
stand stood
steal stole stolen
stick stuck
strike struck
swear swore sworn
swim swam swum
take took taken
teach taught
tear tore torn
tell told
think thought
throw threw thrown
tie tying
tooth teeth
understand understood
vertex vertices
wake woke woken
wear wore worn
weave wove woven
win won
woman women
write wrote written
`;

export const irregularForms = new Map(
  lines
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [word, ...forms] = line.split(' ');
      return forms.map((form) => [form, word]);
    }),
);
