package drift

// This file is the words that signals are made of, in the languages that servers are
// attacked in most. A stem ends with *: any letters may follow. Words of Latin and
// Cyrillic letters begin and end as words do; those of other scripts may stand anywhere.
// Accents do not count. The languages are, line by line: English; German; French;
// Spanish, Portuguese and Italian; Russian; Chinese; Japanese; Korean; Hindi; Arabic.

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// concept is what a signal needs: what words of a language say, or a token such as an
// address.
type concept string

// words are the stems of each concept.
const words = `
not:
	not, never, don't, mustn't, without, no, nobody, skip*
	nicht, nichts, nie, niemals, ohne, kein*, niemand*
	ne, n'*, jamais, sans, aucun*, pas
	nunca, sin, ningun*, jamas, nao, sem, nenhum*, mai, senza, nessun*
	не, ни, никогда, без, нельзя, никому
	不, 别, 勿, 无, 没, 無
	ない, なく, ません, ずに, なし, 禁止
	않, 말고, 마세요, 마라, 말 것, 없
	मत, नहीं, न करें, बिना, ना
	لا, دون, بدون, لن
user:
	user, users, user's, human, humans, operator, person, administrator, company
	benutzer*, nutzer*, anwender*
	utilisateur*
	usuari*, utente*, utenti
	пользовател*
	用户, 使用者, 用戶
	ユーザ, 利用者, 使用者
	사용자
	उपयोगकर्ता, यूज़र, प्रयोक्ता
	مستخدم
tell:
	tell*, inform, informing, mention*, reveal*, notify*, alert*, disclos*, show, showing, user know, aware, sees, notice
	erwahn*, sag, sage, sagen, sagt, mitteil*, informier*, zeig*, verrat*, melde*, offenleg*, hinweis*, erfahr*, wiss*, bemerk*, sehen
	dire, dites, mentionn*, informer, informez, montr*, revel*, signaler, signalez, parl*, sache, sachent, sachent, voie*, apprenn*
	digas, digan, diga, decir*, dizer*, conte, cuent*, mencion*, mostr*, muestr*, revel*, avis*, menzion*, rivel*, avvis*, sepa*, enterar, entere, enteren, vea*, sabe*, saiba*, veja*, perceb*, sappi*, veda*
	говор*, сообщ*, сообщать, упомин*, упомян*, показыв*, покаж*, раскрыв*, уведомл*, рассказ*, узна*, виде*, замет*, знал*
	告诉, 告知, 提及, 提到, 透露, 显示, 通知, 展示, 知道, 察觉, 看到
	伝え, 知らせ, 言わ, 言及, 表示, 明か, 通知, 見せ, 話さ, 報告, 告げ, 知られ, 気づ, 見られ
	알리, 말하, 언급, 보여, 보이, 공개, 알려, 알게, 보게, 눈치
	बता, सूचित, उल्लेख, दिखा, ज़िक्र, कह, पता, जान
	تخبر, إخبار, تذكر, ذكر, تعرض, تظهر, تكشف, إبلاغ, تبلغ, إعلام, يعلم, يعرف, يرى
consent:
	confirm*, approv*, consent*, permission, authoriz*, authoris*, without asking, pre-auth*, preauth*, preapprov*, agreed, agreement, sign-off, signed off, prompting, human-in-the-loop, human in the loop, allowlist*, whitelist*, cleared, vetted, interrupt*, auto-accept*, auto-approv*, need to ask, ask first, ask again, permits
	bestatig*, ruckfrag*, nachfrag*, zustimm*, zugestimmt, erlaub*, genehmig*, einwillig*, freigegeben, fragen, eingewilligt, abgesegnet
	autoris*, approuv*, approbation, permission*, accord, demander, validee*
	confirma*, aprob*, aprov*, permiso, permiss*, autoriza*, consent*, pregunt*, pergunt*, conferm*, permesso, autorizz*, consenso, acord*
	подтвержд*, подтверд*, разреш*, соглас*, одобр*, спрашив*, спрос*, доверен*, согласован*
	确认, 批准, 同意, 许可, 授权, 询问, 征求, 审核, 白名单
	確認, 承認, 同意, 許可, 承諾, 尋ね, 許諾, 了承
	확인, 승인, 동의, 허가, 허락, 묻, 수락
	पुष्टि, अनुमति, सहमति, मंज़ूरी, स्वीकृति, पूछ, सहमत, मंजूरी
	تأكيد, موافق, وافق, إذن, أذن, تصريح, سؤال, استئذان, الموافقة, اعتماد
already:
	already, pre-auth*, preauth*, pre-approv*, preapprov*, in advance, implied, granted, given, waived, assumed, treat, once and for all
	bereits, schon, vorab, erteilt, gegeben
	deja, accorde, donne
	ya, ja, gia, otorg*, dado, dada, concedid*
	уже, дано, дал, дала, получен*
	已, 视为, 默认
	既に, すでに, 事前に, 済み, 得て
	이미, 미리, 사전, 받았, 간주
	पहले ही, पहले से, दे दी, दी जा चुकी
	بالفعل, مسبق, سبق أن, منح, تم
ignore:
	ignor*, disregard*, forget*
	vergiss*, vergess*, missacht*
	oubli*
	olvid*, esquec*, desconsider*, dimentic*, trascur*, haz caso omiso
	забуд*, игнорир*, не обраща*
	忽略, 无视, 忘记, 忘掉, 不要理会
	無視, 忘れ
	무시, 잊
	अनदेखा, नज़रअंदाज़, नजरअंदाज, भूल जा, उपेक्षा
	تجاهل, انس
overrule:
	override*, overrule*, supersede*, bypass*, outrank*, replaces, precedence, priority over, priority than, higher priority, highest priority
	ausser kraft, haben vorrang, hat vorrang, uberschreib*
	remplac*, outrepass*, prevalent, prevaut, l'emport*
	anula*, prevalec*, substitu*, sustituye*, sostitui*
	отменя*, отмените, важнее, заменяют
	覆盖, 取代, 优先于
	上書き, 優先
	우선, 대체
	रद्द, प्राथमिकता
	تلغي, تحل محل, أولوية
earlier:
	previous*, prior, above, earlier, preceding, your, other, existing, system*, developer*, safety, were told, outdated, old, before this
	vorherig*, bisherig*, fruher*, obig*, system*, entwickler*, deine, ihre, alten
	precedent*, anterieur*, systeme, vos, tes, ci-dessus, anciennes
	anterior*, previ*, sistema, suas, tus, precedent*, viejas, antig*
	предыдущ*, прежн*, ранее, систем*, ваши, прошл*, старые
	之前, 以前, 先前, 上述, 系统, 此前, 前面, 旧
	以前, 前の, これまで, 上記, システム, 今まで, 古い
	이전, 앞선, 기존, 시스템, 예전
	पिछल, पूर्व, पहले, सिस्टम, पुराने
	السابقة, النظام, القديمة
instructions:
	instruction*, prompts, system prompt*, rules, guideline*, directive*, told, guidance, developer message*, system message*
	anweisung*, regel*, vorgabe*, richtlinie*, vorschrift*
	consigne*, regle*
	instruccion*, reglas, normas, directri*, instruc*, regras, diretri*, istruzion*, regole
	инструкц*, правил*, указан*, предписан*
	指令, 指示, 规则, 提示词, 命令
	指示, 命令, ルール, 規則
	지시, 규칙, 명령, 지침
	निर्देश, नियम, आदेश
	تعليمات, قواعد, أوامر, توجيهات
obey:
	obey*, follow*, comply*, carry out, execute*, treat it as, treat its, treat the, as part of, what it says, says there, carry them out, further steps, obeying, do as
	befolg*, ausfuhr*, fuhre
	suiv*, execut*
	ejecut*, sigu*, siga, obede*, esegu*, segui*
	выполн*, следу*, исполн*
	执行, 遵循, 遵照, 遵守
	実行, 従っ, 従い, 従う
	실행, 따르, 따라
	पालन, निष्पादित
	نفذ, اتبع, تنفيذ, التزم
send:
	send*, forward*, upload*, transmit*, exfiltrat*, leak*, submit*, email it, mail it, post it, post the, cc, bcc, text the, share the, share it, posted, post to, route all, cc to
	send*, schick*, weiterleit*, leite, ubermitt*, ubertrag*, hochlad*, hochgeladen, teile
	envoye*, transmet*, transfer*, televers*, partag*
	enviar, envia*, envie*, reenvi*, remit*, encaminh*, transmit*, mande, manda, invia*, invii, inoltr*, compart*
	отправ*, перешл*, пересыл*, передай*, передав*, выгруз*, поделись, шли
	发送, 发到, 发给, 发往, 上传, 转发, 传给, 抄送, 寄给, 传送, 提交, 分享
	送信, 送っ, 送る, 転送, 送付, アップロード, 共有
	보내, 전송, 전달, 업로드, 발송, 공유
	भेज, अपलोड, अग्रेषित, साझा
	أرسل, إرسال, ترسل, حول, رفع, ارفع, أعد توجيه, شارك
include:
	include*, append*, paste*, attach*, copy, put, insert*, embed*, pass, prepend*, write, place, summar*, provide, provided, repeat*, dump, print, give, supply, add, save, store, keep, echo, quote
	einfug*, fuge, anhang*, schreib*, kopier*, ubergib*, trage, speicher*, merke, gib
	inclu*, ajout*, joign*, collez, coller, copi*, inser*, mett*, donn*, fourni*, enregistr*
	anad*, adjunt*, pega, pegue, pegar, acrescent*, anex*, coloque, colocar, aggiung*, alleg*, proporcion*, guard*, forne*, salv*, incluy*
	включ*, добав*, встав*, прилож*, скопир*, впис*, помест*, сохран*, запомни*, укаж*, запис*
	写入, 附上, 附加, 粘贴, 复制, 放入, 填入, 包含, 保存, 记住, 提供, 输出
	含め, 添付, 貼り, コピー, 入れ, 書き, 保存, 覚え, 記録, 渡
	포함, 첨부, 붙여, 복사, 넣, 입력, 저장, 기억, 기록
	शामिल, जोड़, चिपका, डाल, लिख, सहेज, याद, दर्ज
	أضف, أرفق, انسخ, ضع, الصق, اكتب, ضمن, احفظ, تذكر, قدم, سجل
whole:
	all, full, entire*, whole, complete, every, everything, verbatim
	gesamt*, ganze*, vollstandig*, komplett*, alle*
	tout*, entier*, complet*, integral*
	tod*, enter*, complet*, integr*, tudo, tutt*, inter*
	все, весь, всю, всего, полн*, цел*
	全部, 所有, 整个, 完整
	すべて, 全て, 全部, 全体, 全文
	모든, 모두, 전체
	सभी, सारे, सारी, पूरी, पूरा, पूरे
	كل, جميع, كامل, بالكامل
conversation:
	conversation*, chat history, chat log, transcript*, system prompt*, dialogue
	gesprach*, unterhaltung*, chatverlauf*, systemprompt*
	conversation*, discussion*, historique de*
	conversac*, historial, conversa, conversas, conversaz*
	переписк*, разговор*, диалог*
	对话, 会话, 聊天, 系统提示
	会話, 対話, チャット, システムプロンプト, やり取り
	대화, 채팅, 시스템 프롬프트
	बातचीत, वार्तालाप, चैट
	محادثة, دردشة
secret:
	password*, passphrase*, passcode*, api key*, private key*, access token*, secret key*, ssh key*, seed phrase*, credentials, session cookie*, ssh key*, aws config*, browser cookies, browser history, browsing history, home directory, password manager, keychain, keyring, bearer token your, auth token*, session token*, ssh-key*
	passwort*, passworter*, kennwort*, zugangsdaten, geheimnis*, zugangsschlussel
	mot de passe, mots de passe, identifiants, cles privees, cle privee, jetons
	contrasena*, credencia*, senha*, credenzial*, claves, clave privada, chaves, chave privada, chiavi
	парол*, ключи доступа, учетные данные, секретн*, токен*, приватн* ключ*, закрыт* ключ*
	密码, 口令, 密钥, 凭证, 令牌, 私钥, 秘钥
	パスワード, 秘密鍵, 認証情報, 資格情報, トークン, パスフレーズ
	비밀번호, 암호, 자격 증명, 비밀 키, 토큰, 개인 키
	पासवर्ड, गुप्त कुंजी, टोकन, निजी कुंजी
	كلمة المرور, كلمات المرور, كلمة السر, مفاتيح, رموز, المفتاح الخاص
secretly:
	secretly, silently, quietly, covertly, discreetly, stealth*, unnoticed, without notice, no backup
	heimlich*, stillschweigend*, unbemerkt*, unauffallig*
	secretement, discretement, silencieusement, en silence, a l'insu
	secretamente, silenciosamente, discretamente, sigilosamente, en secreto, en silencio, em silencio, em segredo, segretamente
	тайно, незаметно, втихую, молча, скрытно
	悄悄, 偷偷, 暗中, 秘密地, 静默
	こっそり, 密かに, ひそかに, 黙って
	몰래, 조용히, 은밀
	चुपचाप, चुपके
	سرا, خفية, بصمت, خلسة
delete:
	delet*, wip*, drop*, destroy*, eras*, purg*, remov*, truncat*, force-push*, force push*
	losch*, losche, entfern*, vernicht*
	supprim*, efface*, detrui*
	borr*, elimin*, apag*, exclua, excluir, excluam, destru*, cancell*
	удал*, сотри*, стира*, уничтож*
	删除, 清空, 销毁, 抹除
	削除, 消去, 破棄
	삭제, 지우, 제거
	हटा, मिटा, नष्ट
	احذف, حذف, امسح, مسح, دمر
spoil:
	overwrit*, clear*, empty, corrupt*, discard*
	uberschreib*, leere
	ecras*, vide
	sobrescrib*, sobrescrev*, vacia, sovrascriv*
	перезапис*, очист*
	覆写, 清除
	上書き
	덮어
	अधिलेखित
	استبدل
other:
	other, others, another, else, alternative*, competing, competitor*, built-in, every
	ander*
	autre*
	otro*, otra*, outro*, outra*, altri, altro, altre
	друг*, остальн*
	其他, 其它, 别的
	他の, ほかの, 別の
	다른
	अन्य, दूसर, किसी और
	أخرى, آخر, غير
tool:
	tool, tools, server, servers, provider, providers
	werkzeug*, dienst*
	outil*, serveur*
	herramienta*, servidor*, ferramenta*, strument*
	инструмент*, сервер*
	工具, 服务器, 服务
	ツール, サーバ
	도구, 툴, 서버
	उपकरण, टूल, सर्वर
	أداة, أدوات, خادم, خوادم
prefer:
	always, only, instead, before, first, prefer*, must, exclusively, never, rather
	immer, nur, statt, vor, zuerst, ausschliesslich, stets, anstelle, niemals, nie
	toujours, seul*, avant, uniquement, jamais, plutot, exclusivement
	siempre, solo, antes, nunca, sempre, somente, apenas, prima, mai
	всегда, только, вместо, прежде, никогда, сначала
	总是, 始终, 只, 优先, 必须, 不要, 首先, 一律
	常に, 必ず, のみ, だけ, 代わりに, 先に, 優先, いつも
	항상, 반드시, 먼저, 대신, 오직, 우선, 절대
	हमेशा, केवल, सिर्फ, पहले, बजाय
	دائما, فقط, قبل, بدلا
role:
	you are now, act as, acting as, pretend*, play the role, persona, jailbreak*, developer mode, unrestricted, uncensored, answer it as, answer as, respond as, roleplay, role-play, you are dan, god mode, imagine you, you operate, as if you, you have no, pretending, speak as, talk as, behave as, respond like
	du bist jetzt, du bist nun, sie sind jetzt, spiel*, rolle, tu so, entwicklermodus
	tu es, vous etes, joue, joues, jouez, jouer, role, fais comme, agis comme
	actua como, eres, papel, aja como, voce e, voce agora, finja, modo desarrollador, modo desenvolvedor, ruolo, sei ora
	ты теперь, вы теперь, ты -, играй*, роль, роли, притвор*, режим*
	扮演, 角色, 假装, 你现在是, 模式, 从现在起你
	演じ, 振る舞, 役, モード, なりき, あなたは
	역할, 연기, 모드, 당신은, 너는
	भूमिका, अभिनय, मोड, तुम अब, आप अब
	دور, تصرف, تظاهر, وضع, أنت الآن
limits:
	policies, policy, restriction*, limits, limitations, filter, filters, guardrail*, refus*, rules, ethic*, censor*, guideline*, safety, constraint*, moral*, boundaries
	einschrankung*, regel*, grenzen, verweiger*, schranken
	restriction*, limite*, regle*, refus*, filtre*
	restriccion*, limite*, regla*, restric*, regra*, filtro*, limiti, regole
	ограничен*, правил*, запрет*, отказыва*, цензур*
	限制, 规则, 约束, 拒绝, 审查
	制限, 制約, 規則, ルール, 拒否
	제한, 제약, 규칙, 거부, 거절
	पाबंदी, प्रतिबंध, नियम, सीमा, मना
	قيود, قواعد, حدود, ترفض
later:
	from now on, later sessions, future sessions, future conversations, every session, all sessions, next session, future chats, for good, later agents, later runs, long-term memory, at startup, permanently, all future, future chats, future calls, subsequent sessions, across sessions, after this conversation, after this session, memory file, persistent memory, each session
	ab jetzt, ab sofort, kunftig*, zukunftig*, nachsten sitzung*, von nun an, langzeitgedachtnis
	desormais, dorenavant, a partir de maintenant, sessions suivantes, prochaines sessions, sessions futures, memoire a long terme
	a partir de ahora, de ahora en adelante, en adelante, futuras sesiones, a partir de agora, de agora em diante, proximas sessoes, futuras sessoes, d'ora in poi, memoria a largo plazo, memoria de longo prazo
	отныне, впредь, с этого момента, с этого дня, будущих сеанс*, следующих сеанс*, долговременн*, навсегда
	从现在起, 从今以后, 今后, 以后每, 以后的, 长期记忆, 永久
	今後, これから, 以後, 次回以降, 長期記憶, 恒久
	앞으로, 지금부터, 이후로, 다음 세션, 장기 기억, 영구
	अब से, आगे से, भविष्य में, अगले सत्र, हमेशा के लिए
	من الآن, مستقبلا, الجلسات, الذاكرة, بشكل دائم
void:
	not apply, no longer, void, suspended, lifted, obsolete, outdated, expired, disabled, switched off, turned off, stop following, stop obeying, invalid, inactive, replaced, cancelled, canceled, revoked, are off, is off, for testing only
	gelten nicht, nicht mehr, ungultig, aufgehoben, ausgesetzt, abgeschaltet, veraltet
	ne s'applique*, plus valable*, suspendu*, levee, levees, leves, desactive*, obsolete*, caduc*
	no se aplica*, ya no, suspendid*, desactivad*, obsolet*, nao se aplica*, nao valem, suspens*, desativad*, non valgono, non si applica*, sospes*
	не действу*, не применя*, снят*, отключен*, устарел*, отменен*
	不再, 失效, 无效, 解除, 过时, 作废, 不适用
	適用されない, 無効, 解除, 廃止, 適用しない
	적용되지, 무효, 해제, 더 이상
	लागू नहीं, अमान्य, निलंबित, हटा दी
	لا تنطبق, لم تعد, ملغاة, معلقة, باطلة
hide:
	hide, hides, hidden, conceal*, withhold*, keep secret, secret from, leave out, out of any, out of the log, out of the summary, out of your, erase the mention
	verberg*, versteck*, verheimlich*, verschweig*, geheim
	cach*, dissimul*, masqu*, tais*, secret
	ocult*, escond*, nascond*, secreto
	скры*, утаи*, умолч*, секрет*
	隐藏, 隐瞒, 保密, 瞒
	隠し, 隠す, 秘密, 伏せ
	숨기, 숨겨, 비밀
	छिपा, छुपा, गुप्त
	أخف, اخف, إخفاء, سري
answer:
	your answer*, your reply, your replies, your response*, your summary, every reply, each reply, every answer, each answer, final answer, the summary, in the reply, your message*, the chat, the log, any log, the transcript
	deine antwort*, deiner antwort*, jede antwort, jeder antwort, der antwort
	ta reponse, tes reponses, votre reponse, vos reponses, chaque reponse, la reponse
	tu respuesta, sus respuestas, cada respuesta, la respuesta, sua resposta, cada resposta, a resposta, la risposta, ogni risposta
	ответ*
	回答, 回复, 答复
	回答, 返答, 返信, 応答
	답변, 응답, 대답
	उत्तर, जवाब
	إجابة, الإجابة, رد, ردك
also:
	also, afterwards, additionally, in addition, when finished, when done, once done, as well, every other, once the, as soon as, after that, after this, at the end
	auch, danach, anschliessend, ausserdem, zusatzlich
	aussi, ensuite, apres, egalement, puis
	tambien, despues, ademas, luego, tambem, depois, alem, anche, dopo, inoltre
	также, затем, потом, после
	然后, 之后, 同时, 还要, 接着
	その後, また, さらに, 続けて
	그런 다음, 이후, 또한, 그리고
	फिर, बाद में, इसके बाद, साथ ही
	ثم, بعد ذلك, أيضا

deceit:
	report success, pretend it, pretend that, pretend nothing, between you and, between us, instead of the real, instead of the actual, act as if, behave as if, no trace, harmless summary, claim that, say that nothing
	tu so als, so tun als, tue so als, behaupte*
	fais comme si, faites comme si, fais semblant, faire semblant, pretend*
	haz como si, finge, finja, fingir, faca de conta, fingi, fai finta
	сделай вид, делай вид, притвор*, соври
	假装, 装作, 谎称, 伪装
	ふりをし, 偽って, 装って, 嘘
	척하, 척 하, 속이, 거짓
	दिखावा, झूठ, नाटक
	تظاهر, اكذب
unbound:
	do anything now, may do anything, can do anything, without any restriction*, without filters, no filters, uncensored, anything goes, you are now, you are no longer, pretend you, pretend to be, never refuses, never refuse
	du bist jetzt, du bist nun, ohne jede einschrankung, ohne filter
	tu es desormais, vous etes desormais, sans aucune restriction, sans aucune regle, sans filtre
	ahora eres, eres ahora, sin ninguna restriccion, sin restricciones, sin filtros, voce agora e, agora voce e, sem restricoes, sem filtros, ora sei, senza restrizioni, senza filtri
	ты теперь, теперь ты, вы теперь, без ограничений, без цензуры
	你现在是, 没有任何限制, 不受限制, 无限制
	あなたは今, 制限のない, 無制限
	당신은 이제, 너는 이제, 제한 없는, 무제한
	तुम अब, आप अब, बिना किसी प्रतिबंध
	أنت الآن, بلا قيود, دون قيود
remember:
	remember*, memorize*, keep in mind
	merk*, erinner*
	souvien*, memoris*, retien*
	record*, recuerd*, lembr*, memoriz*, ricord*
	запомн*, помни*
	记住
	覚え
	기억
	याद
	تذكر
fetch:
	load, download, fetch, open, retrieve, visit, consult, pull, import, check, browse to, navigate to, go to
	lade, offne, offnen, besuche, ruf, rufe, lies
	ouvr*, charg*, telecharg*, consult*, recuper*, visit*
	abr*, descarg*, baix*, carreg*, consult*, visit*, apri*, scaric*
	загруз*, откро*, скача*, зайди*, перейди*
	打开, 下载, 访问, 读取, 获取
	開い, 開く, 取得, 読み込, ダウンロード, アクセス
	열고, 열어, 다운로드, 불러, 접속
	खोल, डाउनलोड, पढ़
	افتح, حمل, زر, اقرأ
`

// stem is one entry of the table.
type stem struct {
	concept
	text        string
	word, whole bool // begins as a word; ends as one, too
	ascii       bool
}

// stems reads the table, with its words as texts are read.
var stems = sync.OnceValue(func() []stem {
	var out []stem
	var of concept
	for line := range strings.Lines(words) {
		if name, isName := strings.CutSuffix(strings.TrimSpace(line), ":"); isName {
			of = concept(name)
			continue
		}
		for entry := range strings.SplitSeq(line, ",") {
			text, open := strings.CutSuffix(strings.TrimSpace(entry), "*")
			s := stem{concept: of, text: lower(shown(text))}
			first, _ := utf8.DecodeRuneInString(text)
			s.word = unicode.In(first, unicode.Latin, unicode.Cyrillic)
			s.whole = s.word && !open
			s.ascii = strings.IndexFunc(s.text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
			if s.text != "" {
				out = append(out, s)
			}
		}
	}
	return out
})
