"""Words of periods and names of months, in the languages of statistics offices."""

# Words that stand beside a year, a month or a day in a period, in the order of languages.
PERIOD_WORDS = frozenset(
    """q t k h s m w y fy cy qtr quarter quarters quartal vierteljahr vj hj halbjahr trim trimestre
    trimestres semestre kwartal kwartaal kw kwart kvartal ctvrtleti ceyrek квартал кв τριμηνο o ª º
    negyedev felev ev evi neljannes tromjesecje tromesecje cetrtletje ketvirtis ketv ceturksnis
    trimestrul semestrul triwulan quy kvartali halvar semester тримесечие тромесечје
    полугодие півріччя первое второе
    α β γ δ ti tii tiii tiv год года г годы роки рік року ετος година годину години
    година godina godine godini leto leta vuosi vuonna metai metais gads gada aasta ar arets
    tahun nam yil yili yilinda anul luna any urte maand maaned manad month mois mes mese mesiac
    mesic miesiac honap kuukausi kuu menuo menesis bulan thang jaar سنة عام الربع الاول الثاني
    الثالث الرابع שנת רבעון prel prelim preliminary provisional provisorisch vorlaufig provisoire
    provisorio provisorios provisoria provvisorio revised revidiert revise ennakko ennakkotieto
    wstepne predbezne elozetes sementara estimate estimated forecast projected projection so bo
    half to bis a al au do bis of de del des du di da
    dal the and y e et und i en st nd rd th er year years ending ended end jahr jahre jahresende
    annee annees ano anos anno anni rok roku lata exercice wirtschaftsjahr schuljahr
    wintersemester sommersemester ws ss wise sose season week
    woche semaine semana settimana tydzien mid early late at as on am stand vom po per since from
    first second third fourth i ii iii iv vi vii viii ix xi xii average avg mean annual total
    ytd est prov p r 年 年度 月 日 四半期 第 期 平均 末 년 월 분기""".split()
)
# By language, without accents; names are shortened to three letters or more.
_SHORTENED_MONTHS = """
    january february march april may june july august september october november december
    januar februar marz april mai juni juli august september oktober november dezember janner
    janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre
    enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
    gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
    janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro
    januari februari maart april mei juni juli augustus maj marts augusti desember
    январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь""".split()
_WHOLE_MONTHS = """
    styczen luty marzec kwiecien maj czerwiec lipiec sierpien wrzesien pazdziernik listopad grudzien
    stycznia lutego marca kwietnia maja czerwca lipca sierpnia wrzesnia pazdziernika listopada
    grudnia sty lut mar kwi cze lip sie wrz paz lis gru mrz sept
    leden unor brezen duben kveten cerven cervenec srpen zari rijen prosinec
    tammikuu helmikuu maaliskuu huhtikuu toukokuu kesakuu heinakuu elokuu syyskuu lokakuu
    marraskuu joulukuu ianuarie februarie martie aprilie iunie iulie septembrie octombrie noiembrie
    decembrie marcius aprilis majus junius julius augusztus szeptember
    ocak subat mart nisan mayis haziran temmuz agustos eylul ekim kasim aralik
    января февраля марта апреля мая июня июля августа сентября октября ноября декабря
    січень лютии березень квітень травень червень липень серпень вересень жовтень листопад грудень
    січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня
    ιανουαριος φεβρουαριος μαρτιος απριλιος μαιος ιουνιος ιουλιος αυγουστος σεπτεμβριος οκτωβριος
    νοεμβριος δεκεμβριος ιανουαριου φεβρουαριου μαρτιου απριλιου μαιου ιουνιου ιουλιου αυγουστου
    σεπτεμβριου οκτωβριου νοεμβριου δεκεμβριου
    يناير فبراير مارس ابريل مايو يونيو يوليو اغسطس سبتمبر اكتوبر نوفمبر ديسمبر
    كانون شباط اذار نيسان ايار حزيران تموز اب ايلول تشرين
    sijecanj veljaca ozujak travanj svibanj lipanj srpanj kolovoz rujan listopad studeni prosinac
    marec maj jun jul avgust oktober sausis vasaris kovas balandis geguze birzelis liepa rugpjutis
    rugsejis spalis lapkritis gruodis janvaris februaris marts aprilis maijs junijs julijs augusts
    septembris oktobris novembris decembris jaanuar veebruar marts aprill juuni juuli detsember
    gener febrer marc abril maig juny juliol agost setembre octubre novembre desembre
    agustus oktober desember januarie februarie maart september julij junij
    януари февруари март април май юни юли август септември октомври ноември декември
    јануар фебруар март април мај јун јул август септембар октобар новембар децембар
    ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר""".split()
MONTHS = frozenset(_WHOLE_MONTHS) | {
    name[:length] for name in _SHORTENED_MONTHS for length in range(3, len(name) + 1)
}
